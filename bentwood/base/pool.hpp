#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bentwood {

/// Things that threads take turns with: at most as many are made as are in use at a time.
template <class T>
class Pool {
 public:
  template <class Make, class Use>
  void with(Make make, Use use) {
    std::unique_ptr<T> item;
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        item = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!item) {
      item = make();
    }
    use(*item);
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(item));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace bentwood
