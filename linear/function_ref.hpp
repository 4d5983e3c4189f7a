#pragma once

namespace slipwave::linear {

template <class Signature>
class FunctionRef;

/// Refers to a callable, which must outlive it: what std::function is without its memory.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function>
  FunctionRef(const Function& function)  // NOLINT: a callable is passed as it is
      : function_(&function), call_([](const void* of, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(of))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(function_, arguments...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace slipwave::linear
