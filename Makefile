# The front door. Each target makes the machine ready first (tools/setup.sh), which costs seconds when
# nothing has changed.
.PHONY: demo test bench lint format fuzz tsan setup

demo: setup
	.venv/bin/bentwood demo

test: setup
	tools/test.sh

bench: setup
	.venv/bin/python bench/run.py

lint: setup
	tools/lint.sh

format: setup
	.venv/bin/ruff check --quiet --fix --exit-zero .
	.venv/bin/ruff format --quiet .
	git ls-files '*.hpp' '*.cpp' | xargs .venv/bin/clang-format -i

fuzz: setup
	tools/fuzz.sh

tsan: setup
	tools/tsan.sh

setup:
	tools/setup.sh
