#pragma once

#include <stdexcept>

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

/// The contents of a file are not what its format promises. Python sees ValueError.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: no such file, no permission, disk full. Python sees OSError.
class IoError : public Error {
 public:
  using Error::Error;
};

/// The user asked for the work to stop (Ctrl-C). Python sees KeyboardInterrupt, the shell exit 130.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace bentwood
