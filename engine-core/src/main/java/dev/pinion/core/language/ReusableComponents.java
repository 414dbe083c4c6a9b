package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.SecretName;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components under {@code use} that tasks refer to by name. */
final class ReusableComponents {
  private static final List<String> SUPPORTED =
      List.of("authentications", "errors", "retries", "secrets", "timeouts");
  private static final List<String> UNSUPPORTED = List.of("extensions", "functions", "catalogs");

  /** Components of one kind, by name. */
  static final class ComponentGroup {
    private final String what;
    private final Map<String, DocumentValue> components = new LinkedHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Diagnostics diagnostics;

    ComponentGroup(String what, Diagnostics diagnostics) {
      this.what = what;
      this.diagnostics = diagnostics;
    }

    /** The component that a value names or is; null when the name is unknown. */
    @Nullable DocumentValue resolve(DocumentValue documentValue) {
      if (!documentValue.isText()) {
        return documentValue;
      }
      DocumentValue component = components.get(documentValue.text());
      if (component == null) {
        diagnostics.value(
            documentValue,
            "expected the name of one of use."
                + what
                + ", found "
                + ValueDescription.describe(documentValue.json()),
            () -> SpellingSuggestion.of(documentValue.text(), components.keySet()));
      } else {
        used.add(documentValue.text());
      }
      return component;
    }

    /** The components that no task refers to, which are therefore unchecked. */
    List<DocumentValue> unused() {
      List<DocumentValue> unused = new ArrayList<>();
      components.forEach(
          (name, component) -> {
            if (!used.contains(name)) {
              unused.add(component);
            }
          });
      return unused;
    }

    private void declare(@Nullable DocumentValue group) {
      if (group != null) {
        group.members().forEach(component -> components.put(component.name(), component));
      }
    }
  }

  private final ComponentGroup authentications;
  private final ComponentGroup errors;
  private final ComponentGroup retries;
  private final ComponentGroup timeouts;
  private final Set<String> functions = new LinkedHashSet<>();
  private final Set<String> secrets = new LinkedHashSet<>();

  private ReusableComponents(Diagnostics diagnostics) {
    this.authentications = new ComponentGroup("authentications", diagnostics);
    this.errors = new ComponentGroup("errors", diagnostics);
    this.retries = new ComponentGroup("retries", diagnostics);
    this.timeouts = new ComponentGroup("timeouts", diagnostics);
  }

  /** Reads {@code use}; null stands for none. */
  static ReusableComponents of(@Nullable DocumentValue use, Diagnostics diagnostics) {
    ReusableComponents reusableComponents = new ReusableComponents(diagnostics);
    if (use != null) {
      List<String> keys = new ArrayList<>(SUPPORTED);
      keys.addAll(UNSUPPORTED);
      reusableComponents.declare(FieldReader.of(use, "use", keys, diagnostics), diagnostics);
    }
    return reusableComponents;
  }

  private void declare(FieldReader use, Diagnostics diagnostics) {
    authentications.declare(use.object("authentications"));
    errors.declare(use.object("errors"));
    retries.declare(use.object("retries"));
    timeouts.declare(use.object("timeouts"));
    declareSecrets(use.get("secrets"), diagnostics);
    for (String kind : UNSUPPORTED) {
      DocumentValue group = use.get(kind);
      if (group != null && !group.json().isEmpty()) {
        diagnostics.notSupportedYet(group, "use." + kind);
      }
    }
    DocumentValue named = use.get("functions");
    if (named != null) {
      named.members().forEach(function -> functions.add(function.name()));
    }
  }

  private void declareSecrets(@Nullable DocumentValue names, Diagnostics diagnostics) {
    if (names == null) {
      return;
    }
    if (!names.isArray()) {
      diagnostics.expected(names, "an array of names as \"secrets\"");
    }
    for (DocumentValue name : names.items()) {
      if (!SecretName.isValid(name.text())) {
        diagnostics.expected(name, "the name of a secret (" + SecretName.RULE + ")");
      } else if (!secrets.add(name.text())) {
        diagnostics.value(name, "expected each secret once, found \"" + name.text() + "\" again");
      }
    }
  }

  ComponentGroup authentications() {
    return authentications;
  }

  /** Names of the secrets that the definition declares. */
  Set<String> secrets() {
    return secrets;
  }

  ComponentGroup errors() {
    return errors;
  }

  ComponentGroup retries() {
    return retries;
  }

  ComponentGroup timeouts() {
    return timeouts;
  }

  /** Names of functions that the definition declares. */
  Set<String> functions() {
    return functions;
  }
}
