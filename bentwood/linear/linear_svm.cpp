#include "bentwood/linear/linear_svm.hpp"

namespace bentwood {

LinearSvm linear_svm(const LinearRows& rows, const LinearSvmOptions& options) {
  return options.loss == MarginLoss::squared_hinge ? newton_svm(rows, options)
                                                   : coordinate_descent_svm(rows, options);
}

}  // namespace bentwood
