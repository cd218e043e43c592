#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bentwood {

/// The root of everything the library throws on purpose. The message is one line and says where the
/// problem is, what was found, and what was expected or what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value that a caller passed is unusable: a bad signature, a point off its manifold, a shape that
/// does not fit. Python sees ValueError.
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// The same about one row of a matrix, for whoever knows a better name for it: a line of a file.
class RowError : public InvalidInput {
 public:
  /// The message is "row 17: " and the problem.
  RowError(std::size_t row, const std::string& problem)
      : InvalidInput("row " + std::to_string(row) + ": " + problem), row_(row), problem_(problem) {}

  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::size_t row_;
  std::string problem_;
};

/// The contents of a file are not what its format promises. Python sees ValueError.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: no such file, no permission, disk full. Python sees OSError, or the
/// subclass that belongs to the number.
class IoError : public Error {
 public:
  /// `number` is the errno that says why; 0 where there is none.
  explicit IoError(const std::string& message, int number = 0) : Error(message), number_(number) {}

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// The user asked for the work to stop (Ctrl-C). Python sees KeyboardInterrupt, the shell exit 130.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace bentwood
