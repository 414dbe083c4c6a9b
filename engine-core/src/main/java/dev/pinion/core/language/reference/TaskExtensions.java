package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.NamedItems;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The extensions under {@code use.extensions}, in order (DSL reference, "Extension"). */
public final class TaskExtensions {
  /** No extensions. */
  static final TaskExtensions NONE = new TaskExtensions(List.of());

  private static final List<String> KEYS = List.of("extend", "when", "before", "after");
  private static final Map<String, Set<TaskKind>> TARGETS = targets();

  private final List<Extension> all;
  private final Set<Extension> applied = new LinkedHashSet<>();

  private TaskExtensions(List<Extension> all) {
    this.all = all;
  }

  /**
   * An extension.
   *
   * @param place the extension in its document
   * @param kinds kinds of tasks that it extends
   * @param when its condition, or null
   * @param before tasks that run before, or null
   * @param after tasks that run after, or null
   */
  public record Extension(
      DocumentValue place,
      Set<TaskKind> kinds,
      @Nullable DocumentValue when,
      @Nullable DocumentValue before,
      @Nullable DocumentValue after) {
    /** The name of the extension. */
    public String name() {
      return place.name();
    }
  }

  private static Map<String, Set<TaskKind>> targets() {
    Map<String, Set<TaskKind>> targets = new TreeMap<>();
    for (TaskKind kind : TaskKind.values()) {
      targets.put(kind.key(), EnumSet.of(kind));
    }
    targets.put("composite", EnumSet.of(TaskKind.DO, TaskKind.FORK));
    targets.put("all", EnumSet.allOf(TaskKind.class));
    return targets;
  }

  /** Reads {@code use.extensions}; null stands for none. */
  static TaskExtensions of(@Nullable DocumentValue list, Diagnostics diagnostics) {
    if (list == null || (list.isArray() && list.json().isEmpty())) {
      return NONE;
    }
    List<Extension> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (DocumentValue named : NamedItems.of(list, "extension", KEYS, diagnostics)) {
      if (!names.add(named.name())) {
        diagnostics.key(
            named,
            "expected each extension name once, found \""
                + ValueDescription.shorten(named.name())
                + "\" again");
      }
      FieldReader keys = FieldReader.of(named, "an extension", KEYS, diagnostics);
      all.add(
          new Extension(
              named,
              kinds(keys.requiredText("extend"), diagnostics),
              keys.get("when"),
              keys.get("before"),
              keys.get("after")));
    }
    return new TaskExtensions(all);
  }

  private static Set<TaskKind> kinds(@Nullable DocumentValue extend, Diagnostics diagnostics) {
    Set<TaskKind> kinds = extend == null ? null : TARGETS.get(extend.text());
    if (extend != null && kinds == null) {
      diagnostics.value(
          extend,
          "expected one of "
              + String.join(", ", TARGETS.keySet())
              + " as \"extend\", found "
              + ValueDescription.describe(extend.json()),
          () -> SpellingSuggestion.of(extend.text(), TARGETS.keySet()));
    }
    return kinds == null ? Set.of() : kinds;
  }

  /** The extensions of tasks of a kind that have tasks of their own, in order. */
  public List<Extension> of(TaskKind kind) {
    if (all.isEmpty()) {
      return List.of();
    }
    List<Extension> found =
        all.stream()
            .filter(each -> each.kinds().contains(kind))
            .filter(each -> each.before() != null || each.after() != null)
            .toList();
    applied.addAll(found);
    return found;
  }

  /** The extensions that no task has, and which are therefore unchecked. */
  public List<Extension> unused() {
    return all.stream().filter(each -> !applied.contains(each)).toList();
  }
}
