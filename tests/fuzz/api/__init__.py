"""A fuzzer of the Python package: random estimators, parameters, points and weights.

Each case is a function of its seed. HACKING.md says how to run it and how to replay a case.
"""
