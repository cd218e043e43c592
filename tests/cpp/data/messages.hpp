#pragma once

#include <gtest/gtest.h>

#include <string>

#include "bentwood/base/error.hpp"

namespace bentwood {

/// The message of the bentwood::Error that `action` throws; a failed test where it throws none.
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace bentwood
