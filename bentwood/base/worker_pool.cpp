#include "bentwood/base/worker_pool.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace bentwood {
namespace {

// How long a worker that the cores do not need stays without work.
constexpr auto patience = std::chrono::seconds(1);
// How long a thread looks out for what it waits for before it sleeps: to be woken costs as much.
constexpr auto alertness = std::chrono::microseconds(50);

// Yields at every look: on a busy core the thread that is waited for may be the next in the queue.
template <class Condition>
void look_out_for(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + alertness;
  while (!condition() && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
}

// Threads do not survive fork(): a child leaves its parent's pool alone and makes its own.
std::atomic<unsigned> n_forks = 0;
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { ++n_forks; });

// The memory that a thread needs for its own variables, ours and those of the C++ runtime's exceptions, is allocated
// when it first touches them, and where that fails glibc ends the process.
[[maybe_unused]] thread_local volatile bool touched = false;

// Touches them now if there is room to spare; whether there was.
bool made_room_for_thread() {
  constexpr std::size_t enough = std::size_t{1} << 16U;
  void* volatile const room = std::malloc(enough);
  std::free(room);
  if (room == nullptr) {
    return false;
  }
  touched = std::uncaught_exceptions() == 0;
  return true;
}
[[maybe_unused]] const bool room_at_load = made_room_for_thread();

// A plugin that holds this library may be unloaded; its workers would be left without code.
void stay_loaded() {
  Dl_info here{};
  if (dladdr(&n_forks, &here) != 0) {
    dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

}  // namespace

class WorkerPool {
 public:
  WorkerPool(unsigned forks_before, WorkerPool* abandoned)
      : forks_before_(forks_before), abandoned_(abandoned) {
    stay_loaded();
  }

  // Never destroyed: its threads wait in it when the program ends.
  static WorkerPool& of_this_process() {
    static std::atomic<WorkerPool*> current = nullptr;
    WorkerPool* pool = current.load(std::memory_order_acquire);
    while (pool == nullptr || pool->forks_before_ != n_forks) {
      auto made = std::make_unique<WorkerPool>(n_forks, pool);
      if (current.compare_exchange_strong(pool, made.get())) {
        return *made.release();
      }
    }
    return *pool;
  }

  void open(Helpers& group) {
    const std::scoped_lock lock(mutex_);
    open_.push_back(&group);
    call_worker(group);
    group.found_one_ = group.n_called_ > 0;
  }

  void close(Helpers& group) {
    std::unique_lock lock(mutex_);
    std::erase(open_, &group);
    for (const auto& worker : workers_) {
      if (worker->called_to == &group) {
        worker->called_to = nullptr;
        --group.n_called_;
        offer(*worker);
      }
    }
    if (group.n_called_ > 0) {
      lock.unlock();
      look_out_for([&] { return group.n_called_ == 0; });
      lock.lock();  // the last one may still be about to notify
    }
    group.all_left_.wait(lock, [&] { return group.n_called_ == 0; });
  }

  std::size_t size() {
    const std::scoped_lock lock(mutex_);
    return workers_.size();
  }

 private:
  // Sleeps in idle_, is called to a group, or works in one.
  struct Worker {
    std::atomic<Helpers*> called_to = nullptr;
    std::condition_variable called;
  };

  // From here on the caller holds the mutex.
  void call_worker(Helpers& group) {
    if (group.n_wanted_ == 0) {
      return;
    }
    if (idle_.empty() &&
        (workers_.size() >= std::max(group.n_threads_, n_cores()) || !make_worker())) {
      return;
    }
    Worker& worker = *idle_.back();
    idle_.pop_back();
    --group.n_wanted_;
    ++group.n_called_;
    worker.called_to = &group;
    worker.called.notify_one();
  }

  // Sends a worker that has nothing to do where one is wanted.
  void offer(Worker& worker) {
    idle_.push_back(&worker);
    const auto wanting =
        std::ranges::find_if(open_, [](const Helpers* group) { return group->n_wanted_ > 0; });
    if (wanting != open_.end()) {
      call_worker(**wanting);
    }
  }

  bool make_worker() {
    try {
      idle_.reserve(workers_.size() + 1);
      workers_.push_back(std::make_unique<Worker>());
    } catch (const std::bad_alloc&) {
      return false;
    }
    try {
      std::thread([this, &worker = *workers_.back()] { live(worker); }).detach();
    } catch (const std::exception&) {  // std::system_error, or std::bad_alloc
      workers_.pop_back();
      return false;
    }
    idle_.push_back(workers_.back().get());
    return true;
  }

  void live(Worker& self) noexcept {
    while (!made_room_for_thread()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::unique_lock lock(mutex_);
    while (waited_for_call(self, lock)) {
      Helpers& group = *self.called_to.exchange(nullptr);
      call_worker(group);
      call_worker(group);
      lock.unlock();
      group.work_();
      lock.lock();
      if (--group.n_called_ == 0) {
        group.all_left_.notify_one();  // with the mutex held: the group may be gone right after
      }
      offer(self);
    }
  }

  // Whether the worker is called; the alternative is that it has left the pool.
  bool waited_for_call(Worker& self, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    look_out_for([&] { return self.called_to != nullptr; });
    lock.lock();
    while (self.called_to == nullptr) {
      if (workers_.size() <= n_cores()) {
        self.called.wait(lock);
      } else if (self.called.wait_for(lock, patience) == std::cv_status::timeout &&
                 self.called_to == nullptr && workers_.size() > n_cores()) {
        std::erase(idle_, &self);
        std::erase_if(workers_, [&](const auto& worker) { return worker.get() == &self; });
        return false;
      }
    }
    return true;
  }

  const unsigned forks_before_;
  [[maybe_unused]] WorkerPool* const abandoned_;  // for leak checkers
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // The one who slept last is woken first. Has room for all workers: nothing fails when one becomes idle.
  std::vector<Worker*> idle_;
  std::vector<Helpers*> open_;
};

std::size_t n_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<std::size_t>(CPU_COUNT(&allowed));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

Helpers::Helpers(std::size_t n_wanted, std::size_t n_threads, const std::function<void()>& work)
    : pool_(WorkerPool::of_this_process()),
      work_(work),
      n_wanted_(n_wanted),
      n_threads_(n_threads) {
  pool_.open(*this);
}

Helpers::~Helpers() { pool_.close(*this); }

std::size_t n_workers() { return WorkerPool::of_this_process().size(); }

}  // namespace bentwood
