package dev.pinion.bootstrap.settings;

import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.instance.LifecycleEventType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lifecycle events that a sink gets. Immutable.
 *
 * @param sink name of the sink
 * @param types types of the events
 * @param namespace namespace of the definitions; null for all
 */
public record LifecycleSinkSpec(
    String sink, Set<LifecycleEventType> types, @Nullable String namespace) {
  private static final Pattern ENTRY =
      Pattern.compile(
          "([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?::([a-z.+-]+))?"
              + "(?:@([A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?))?");

  /** All required events of workflows. */
  private static final String WORKFLOW = "workflow";

  /** All required events of tasks. */
  private static final String TASK = "task";

  /** The optional events that tell phases alone. */
  private static final String STATUS = "status";

  /** Copies the types. */
  public LifecycleSinkSpec {
    types = Set.copyOf(types);
  }

  /**
   * Sinks as {@code NAME:TYPES@NAMESPACE,…}, where the latter two may be left out.
   *
   * @throws IllegalArgumentException when the text is none; the message says what is expected
   */
  public static List<LifecycleSinkSpec> parse(String text) {
    List<LifecycleSinkSpec> specs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      LifecycleSinkSpec spec = entry(entry.strip());
      if (!names.add(spec.name())) {
        throw new IllegalArgumentException(
            "expected each sink once for a namespace, found \"" + spec.name() + "\" again");
      }
      specs.add(spec);
    }
    for (LifecycleSinkSpec spec : specs) {
      if (spec.namespace != null && names.contains(spec.sink)) {
        throw new IllegalArgumentException(
            "expected the sink \""
                + spec.sink
                + "\" for all namespaces or for some, found both: each event would be sent twice");
      }
    }
    return List.copyOf(specs);
  }

  private static LifecycleSinkSpec entry(String entry) {
    Matcher parts = ENTRY.matcher(entry);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "expected the name of a sink, perhaps with :TYPES and with @NAMESPACE, such as"
              + " audit:workflow@shop, found \""
              + entry
              + "\"");
    }
    String types = parts.group(2);
    return new LifecycleSinkSpec(
        parts.group(1), types(types == null ? WORKFLOW + "+" + TASK : types), parts.group(3));
  }

  private static Set<LifecycleEventType> types(String text) {
    Set<LifecycleEventType> types = EnumSet.noneOf(LifecycleEventType.class);
    for (String word : text.split("\\+", -1)) {
      List<LifecycleEventType> named =
          Stream.of(LifecycleEventType.values()).filter(type -> names(word, type)).toList();
      if (named.isEmpty()) {
        throw unknown(word);
      }
      types.addAll(named);
    }
    return types;
  }

  private static boolean names(String word, LifecycleEventType type) {
    return switch (word) {
      case WORKFLOW -> !type.isOfTask() && !type.isStatusChange();
      case TASK -> type.isOfTask() && !type.isStatusChange();
      case STATUS -> type.isStatusChange();
      default -> type.label().equals(word);
    };
  }

  private static IllegalArgumentException unknown(String word) {
    List<String> known =
        Stream.concat(
                Stream.of(WORKFLOW, TASK, STATUS),
                Stream.of(LifecycleEventType.values()).map(LifecycleEventType::label))
            .toList();
    String suggestion = SpellingSuggestion.of(word, known);
    return new IllegalArgumentException(
        "expected types of lifecycle events, joined by +, of "
            + known
            + ", found \""
            + word
            + '"'
            + (suggestion == null ? "" : "; did you mean \"" + suggestion + "\"?"));
  }

  /** Name under which its progress is kept. */
  public String name() {
    return namespace == null ? sink : sink + "@" + namespace;
  }
}
