#include "bentwood/data/inflate.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {

Inflater::Inflater(Wrapper wrapper)
    : stream_(new z_stream{}, [](z_stream* stream) {
        inflateEnd(stream);
        delete stream;
      }) {
  constexpr int gzip_only = 16 + MAX_WBITS;
  if (inflateInit2(stream_.get(), wrapper == Wrapper::gzip ? gzip_only : -MAX_WBITS) != Z_OK) {
    throw std::bad_alloc();
  }
}

Inflater::Step Inflater::step(std::string_view packed, std::span<char> space) {
  constexpr std::size_t most = std::size_t{1} << 20;
  const auto offered_in = static_cast<uInt>(std::min(packed.size(), most));
  const auto offered_out = static_cast<uInt>(std::min(space.size(), most));
  // zlib does not write to its input, but its interface lacks the const.
  stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream_->avail_in = offered_in;
  stream_->next_out = reinterpret_cast<Bytef*>(space.data());
  stream_->avail_out = offered_out;
  const int status = inflate(stream_.get(), Z_NO_FLUSH);
  Step step{offered_in - stream_->avail_in, offered_out - stream_->avail_out, State::goes_on,
            stream_->avail_out == 0};
  if (status == Z_STREAM_END) {
    step.state = State::at_end;
  } else if (status == Z_MEM_ERROR) {
    throw std::bad_alloc();
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    step.state = State::damaged;
  }
  return step;
}

void Inflater::restart() { inflateReset(stream_.get()); }

void Gunzip::take(std::string_view packed, Bytes& out) {
  bool more_to_make = false;
  while (!packed.empty() || more_to_make) {
    throw_if_interrupted();
    if (between_members_) {
      if (!is_gzip(packed) && packed != "\x1f") {
        throw FormatError(
            n_packed_ == 0
                ? fmt::format("{}: other bytes follow the gzip data", source_)
                : fmt::format("{}: {} bytes follow the gzip data", source_, n_packed_ - n_taken_));
      }
      inflater_.restart();
      between_members_ = false;
    }
    const Inflater::Step step = inflater_.step(packed, out.space(1));
    packed.remove_prefix(step.n_taken);
    n_taken_ += step.n_taken;
    out.extend(step.n_made);
    if (step.state == Inflater::State::damaged) {
      throw FormatError(fmt::format("{}: the gzip data are damaged", source_));
    }
    require_expansion(out.size(), std::max(n_packed_, n_taken_), source_, "decompress it first");
    between_members_ = step.state == Inflater::State::at_end;
    more_to_make = step.filled && !between_members_;
  }
}

void Gunzip::finish() const {
  if (!between_members_) {
    throw FormatError(fmt::format("{}: the gzip data end too early", source_));
  }
}

std::size_t most_expanded(std::size_t n_packed) {
  constexpr std::size_t always_allowed = std::size_t{64} << 20;
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  return n_packed > largest / max_expansion ? largest
                                            : std::max(always_allowed, n_packed * max_expansion);
}

void require_expansion(std::size_t n_expanded, std::size_t n_packed, const std::string& source,
                       std::string_view advice) {
  if (n_expanded > most_expanded(n_packed)) {
    throw FormatError(fmt::format("{}: expands to more than {} times its size; {} if that is right",
                                  source, max_expansion, advice));
  }
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

}  // namespace bentwood
