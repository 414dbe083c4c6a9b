package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.NativeCallCode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions written in Java, by name and number of arguments. */
public final class Builtins {
  private static final Map<String, Factory> BY_SIGNATURE = all();

  private Builtins() {}

  /** Makes code that calls a function. */
  @FunctionalInterface
  public interface Factory {
    Code create(Code[] arguments);
  }

  /** Registers functions. */
  static final class Registry {
    private final Map<String, Factory> factories = new HashMap<>();

    void value(String name, NativeCallCode.Function0 function) {
      filter(name, 0, arguments -> new NativeCallCode.Apply0(function));
    }

    void value(String name, NativeCallCode.Function1 function) {
      filter(name, 1, arguments -> new NativeCallCode.Apply1(function, arguments[0]));
    }

    void value(String name, int arity, NativeCallCode.FunctionN function) {
      filter(name, arity, arguments -> new NativeCallCode.ApplyN(function, arguments));
    }

    void filter(String name, int arity, Factory factory) {
      if (factories.put(name + "/" + arity, factory) != null) {
        throw new IllegalStateException("expected one function " + name + "/" + arity);
      }
    }
  }

  private static Map<String, Factory> all() {
    Registry registry = new Registry();
    ControlFlowBuiltins.register(registry);
    PathBuiltins.register(registry);
    CollectionBuiltins.register(registry);
    SortingBuiltins.register(registry);
    StringBuiltins.register(registry);
    NumberBuiltins.register(registry);
    TimeBuiltins.register(registry);
    RegexBuiltins.register(registry);
    return Map.copyOf(registry.factories);
  }

  public static @Nullable Factory find(String name, int arity) {
    return BY_SIGNATURE.get(name + "/" + arity);
  }

  /** All functions as {@code name/arity}. */
  public static Set<String> signatures() {
    return BY_SIGNATURE.keySet();
  }
}
