package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.code.NativeCallCode;
import java.util.HashMap;
import java.util.Map;

/** Collects the functions written in Java, by name and number of arguments. */
final class BuiltinRegistry {
  private final Map<String, BuiltinFactory> factories = new HashMap<>();

  void value(String name, NativeCallCode.Function0 function) {
    filter(name, 0, arguments -> new NativeCallCode.Apply0(function));
  }

  void value(String name, NativeCallCode.Function1 function) {
    filter(name, 1, arguments -> new NativeCallCode.Apply1(function, arguments[0]));
  }

  void value(String name, int arity, NativeCallCode.FunctionN function) {
    filter(name, arity, arguments -> new NativeCallCode.ApplyN(function, arguments));
  }

  void filter(String name, int arity, BuiltinFactory factory) {
    if (factories.put(name + "/" + arity, factory) != null) {
      throw new IllegalStateException("expected one function " + name + "/" + arity);
    }
  }

  /** The functions as {@code name/arity}. */
  Map<String, BuiltinFactory> all() {
    return Map.copyOf(factories);
  }
}
