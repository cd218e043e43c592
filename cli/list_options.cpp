#include "cli/list_options.hpp"

#include <CLI/Option.hpp>
#include <algorithm>
#include <cstddef>

namespace bentwood::cli {
namespace {

/// Not "-", which stands for a file, and no negative number.
bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && (word[1] < '0' || word[1] > '9');
}

/// Walks the words as the parser will, which by itself takes an argument that options follow for a part of
/// the list before it.
class Joiner {
 public:
  Joiner(const CLI::App& app, const std::vector<std::string>& words)
      : command_(&app), words_(words) {
    find_lists();
    leave_arguments();
  }

  [[nodiscard]] std::vector<std::string> joined() const {
    std::vector<std::string> result;
    auto next = words_.begin();
    for (const List& list : lists_) {
      result.insert(result.end(), next, list.first + 1);
      for (next = list.first + 1; next != list.end; ++next) {
        result.back() += "," + *next;
      }
    }
    result.insert(result.end(), next, words_.end());
    return result;
  }

 private:
  using Word = std::vector<std::string>::const_iterator;

  /// The values of a list: the words from `first` to before `end`, at least one.
  struct List {
    Word first;
    Word end;
  };

  void find_lists() {
    for (auto next = words_.begin(); next != words_.end();) {
      const std::string& word = *next++;
      if (word == "--") {
        n_arguments_ += words_.end() - next;
        return;
      }
      if (!is_option(word)) {
        take_argument(word);
        continue;
      }
      const CLI::Option* const option = waiting_option(word);
      if (option == nullptr || next == words_.end()) {
        continue;
      }
      const auto first = next++;
      if (option->get_delimiter() != '\0') {
        next = std::find_if(next, words_.end(), [](const std::string& value) {
          return value == "-" || is_option(value);
        });
        lists_.push_back({first, next});
      }
    }
  }

  void take_argument(const std::string& word) {
    const auto commands = command_->get_subcommands([](const CLI::App*) { return true; });
    const auto named = std::ranges::find_if(
        commands, [&](const CLI::App* command) { return command->check_name(word); });
    if (named == commands.end()) {
      ++n_arguments_;
    } else {
      command_ = *named;
    }
  }

  /// The last lists are the first to give words; each keeps one.
  void leave_arguments() {
    const auto options = command_->get_options();
    std::ptrdiff_t n_missing =
        std::ranges::count_if(options, &CLI::Option::get_positional) - n_arguments_;
    for (auto list = lists_.rbegin(); list != lists_.rend() && n_missing > 0; ++list) {
      const std::ptrdiff_t n_left = std::min(n_missing, list->end - list->first - 1);
      list->end -= n_left;
      n_missing -= n_left;
    }
  }

  /// The option whose value is the next word: neither a flag, nor followed by its value as in --seed=3 and
  /// -j3. Null where there is none.
  [[nodiscard]] const CLI::Option* waiting_option(const std::string& word) const {
    if (word.starts_with("--")) {
      const CLI::Option* const option = find_option(word);
      return option != nullptr && takes_value(*option) ? option : nullptr;
    }
    // Flags may stand before it: -qj 3.
    for (std::size_t at = 1; at < word.size(); ++at) {
      const CLI::Option* const option = find_option({'-', word[at]});
      if (option == nullptr || takes_value(*option)) {
        return at + 1 == word.size() ? option : nullptr;
      }
    }
    return nullptr;
  }

  [[nodiscard]] static bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
  }

  /// An option of the command, or of one above it.
  [[nodiscard]] const CLI::Option* find_option(const std::string& name) const {
    for (const CLI::App* app = command_; app != nullptr; app = app->get_parent()) {
      if (const CLI::Option* const option = app->get_option_no_throw(name)) {
        return option;
      }
    }
    return nullptr;
  }

  const CLI::App* command_;
  const std::vector<std::string>& words_;
  std::ptrdiff_t n_arguments_ = 0;
  std::vector<List> lists_;
};

}  // namespace

std::vector<std::string> with_lists_joined(const CLI::App& app,
                                           const std::vector<std::string>& words) {
  return Joiner(app, words).joined();
}

}  // namespace bentwood::cli
