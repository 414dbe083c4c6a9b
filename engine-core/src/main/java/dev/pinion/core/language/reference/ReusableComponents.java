package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.SecretName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components under {@code use} that tasks refer to by name. */
public final class ReusableComponents {
  private static final List<String> KEYS =
      List.of(
          "authentications",
          "catalogs",
          "errors",
          "extensions",
          "functions",
          "retries",
          "secrets",
          "timeouts");

  /** Components of one kind, by name. */
  public static final class ComponentGroup {
    private final String what;
    private final Map<String, DocumentValue> components = new LinkedHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Diagnostics diagnostics;

    ComponentGroup(String what, Diagnostics diagnostics) {
      this.what = what;
      this.diagnostics = diagnostics;
    }

    /** The component that a value names or is; null when the name is unknown. */
    public @Nullable DocumentValue resolve(DocumentValue documentValue) {
      if (documentValue.isObject()) {
        return documentValue;
      }
      if (!documentValue.isText()) {
        diagnostics.expected(documentValue, "an object or the name of one of " + known());
        return null;
      }
      DocumentValue component = components.get(documentValue.text());
      if (component == null) {
        diagnostics.value(
            documentValue,
            "expected the name of one of "
                + known()
                + ", found "
                + ValueDescription.describe(documentValue.json()),
            () -> SpellingSuggestion.of(documentValue.text(), components.keySet()));
      } else {
        used.add(documentValue.text());
      }
      return component;
    }

    private String known() {
      return "use." + what + " (" + KnownNames.listed(components.keySet()) + ")";
    }

    /** The component of a name, or null. */
    public @Nullable DocumentValue find(String name) {
      DocumentValue component = components.get(name);
      if (component != null) {
        used.add(name);
      }
      return component;
    }

    /** Whether there is a component of a name. */
    public boolean has(String name) {
      return components.containsKey(name);
    }

    /** The names of the components. */
    public Set<String> names() {
      return components.keySet();
    }

    /** The components that no task refers to, which are therefore unchecked. */
    public List<DocumentValue> unused() {
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
  private final ComponentGroup functions;
  private final Set<String> secrets = new LinkedHashSet<>();
  private FunctionCatalogs catalogs;
  private TaskExtensions extensions = TaskExtensions.NONE;

  private ReusableComponents(Diagnostics diagnostics) {
    this.authentications = new ComponentGroup("authentications", diagnostics);
    this.errors = new ComponentGroup("errors", diagnostics);
    this.retries = new ComponentGroup("retries", diagnostics);
    this.timeouts = new ComponentGroup("timeouts", diagnostics);
    this.functions = new ComponentGroup("functions", diagnostics);
    this.catalogs = FunctionCatalogs.of(null, diagnostics);
  }

  /** Reads {@code use}; null stands for none. */
  public static ReusableComponents of(@Nullable DocumentValue use, Diagnostics diagnostics) {
    ReusableComponents reusableComponents = new ReusableComponents(diagnostics);
    if (use != null) {
      reusableComponents.declare(FieldReader.of(use, "use", KEYS, diagnostics), diagnostics);
    }
    return reusableComponents;
  }

  private void declare(FieldReader use, Diagnostics diagnostics) {
    authentications.declare(use.object("authentications"));
    errors.declare(use.object("errors"));
    retries.declare(use.object("retries"));
    timeouts.declare(use.object("timeouts"));
    functions.declare(use.object("functions"));
    declareSecrets(use.get("secrets"), diagnostics);
    catalogs = FunctionCatalogs.of(use.object("catalogs"), diagnostics);
    extensions = TaskExtensions.of(use.get("extensions"), diagnostics);
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

  /** Authentications of endpoints. */
  public ComponentGroup authentications() {
    return authentications;
  }

  /** Names of the secrets that the definition declares. */
  public Set<String> secrets() {
    return secrets;
  }

  /** Errors that tasks raise. */
  public ComponentGroup errors() {
    return errors;
  }

  /** Retry policies. */
  public ComponentGroup retries() {
    return retries;
  }

  /** Timeouts of tasks. */
  public ComponentGroup timeouts() {
    return timeouts;
  }

  /** Functions that tasks call. */
  public ComponentGroup functions() {
    return functions;
  }

  /** Catalogs of functions. */
  public FunctionCatalogs catalogs() {
    return catalogs;
  }

  /** Extensions of tasks. */
  public TaskExtensions extensions() {
    return extensions;
  }
}
