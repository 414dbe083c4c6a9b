package dev.pinion.core.frontend.swf;

import dev.pinion.core.model.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components under {@code use} that tasks refer to by name. */
final class Reusables {
  private static final List<String> SUPPORTED = List.of("errors", "retries", "timeouts");
  private static final List<String> UNSUPPORTED =
      List.of("authentications", "extensions", "functions", "secrets", "catalogs");

  /** Components of one kind, by name. */
  static final class Group {
    private final String what;
    private final Map<String, Value> components = new LinkedHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Diagnostics diagnostics;

    Group(String what, Diagnostics diagnostics) {
      this.what = what;
      this.diagnostics = diagnostics;
    }

    /** The component that a value names or is; null when the name is unknown. */
    @Nullable Value resolve(Value value) {
      if (!value.isText()) {
        return value;
      }
      Value component = components.get(value.text());
      if (component == null) {
        diagnostics.value(
            value,
            "expected the name of one of use." + what + ", found " + Found.describe(value.json()),
            () -> Nearest.to(value.text(), components.keySet()));
      } else {
        used.add(value.text());
      }
      return component;
    }

    /** The components that no task refers to, which are therefore unchecked. */
    List<Value> unused() {
      List<Value> unused = new ArrayList<>();
      components.forEach(
          (name, component) -> {
            if (!used.contains(name)) {
              unused.add(component);
            }
          });
      return unused;
    }

    private void declare(@Nullable Value group) {
      if (group != null) {
        group.members().forEach(component -> components.put(component.name(), component));
      }
    }
  }

  private final Group errors;
  private final Group retries;
  private final Group timeouts;
  private final Set<String> functions = new LinkedHashSet<>();

  private Reusables(Diagnostics diagnostics) {
    this.errors = new Group("errors", diagnostics);
    this.retries = new Group("retries", diagnostics);
    this.timeouts = new Group("timeouts", diagnostics);
  }

  /** Reads {@code use}; null stands for none. */
  static Reusables of(@Nullable Value use, Diagnostics diagnostics) {
    Reusables reusables = new Reusables(diagnostics);
    if (use != null) {
      List<String> keys = new ArrayList<>(SUPPORTED);
      keys.addAll(UNSUPPORTED);
      reusables.declare(Fields.of(use, "use", keys, diagnostics), diagnostics);
    }
    return reusables;
  }

  private void declare(Fields use, Diagnostics diagnostics) {
    errors.declare(use.object("errors"));
    retries.declare(use.object("retries"));
    timeouts.declare(use.object("timeouts"));
    for (String kind : UNSUPPORTED) {
      Value group = use.get(kind);
      if (group != null && !group.json().isEmpty()) {
        diagnostics.notSupportedYet(group, "use." + kind);
      }
    }
    Value named = use.get("functions");
    if (named != null) {
      named.members().forEach(function -> functions.add(function.name()));
    }
  }

  Group errors() {
    return errors;
  }

  Group retries() {
    return retries;
  }

  Group timeouts() {
    return timeouts;
  }

  /** Names of functions that the definition declares. */
  Set<String> functions() {
    return functions;
  }
}
