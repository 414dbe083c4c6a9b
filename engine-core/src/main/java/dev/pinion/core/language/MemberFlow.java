package dev.pinion.core.language;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.template.ExpressionText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the members of data through tasks: what schemas name, and what {@code set}, {@code from}
 * and {@code as} spell out. Whatever an expression or a service makes may have any members.
 */
final class MemberFlow {
  /** Nesting of lists that is followed. */
  private static final int MAX_DEPTH = 4;

  /** Keywords with which a schema may allow more members than it names. */
  private static final List<String> OPEN =
      List.of(
          "$ref",
          "$dynamicRef",
          "allOf",
          "anyOf",
          "oneOf",
          "not",
          "if",
          "patternProperties",
          "dependentSchemas");

  private MemberFlow() {}

  /** The input of a task or a definition, from its raw input. */
  static KnownMembers transformed(@Nullable DocumentValue input, KnownMembers raw) {
    return transformed(input == null ? MissingNode.getInstance() : input.json(), raw);
  }

  private static KnownMembers transformed(JsonNode input, KnownMembers raw) {
    KnownMembers checked =
        raw.names() == null ? ofSchema(input.path("schema").path("document")) : raw;
    return made(input.path("from"), checked);
  }

  /** The members of arguments: those that are spelled out. */
  static KnownMembers ofArguments(@Nullable DocumentValue with) {
    return with == null ? KnownMembers.NONE : names(with.json());
  }

  /** The raw inputs of tasks that run one after another. */
  static List<KnownMembers> inputs(List<DocumentValue> tasks, KnownMembers first) {
    return walk(tasks.stream().map(task -> new NamedTask(task.name(), task.json())).toList(), first)
        .inputs;
  }

  private record NamedTask(String name, JsonNode json) {
    /** Whether the flow may go on to the next task. */
    boolean mayContinue() {
      return json.path("then").asText("continue").equals("continue") || json.has("if");
    }

    /** Where else the flow may go. */
    Set<String> targets() {
      Set<String> targets = new LinkedHashSet<>();
      targets.add(json.path("then").asText());
      targets.add(json.path("catch").path("then").asText());
      for (JsonNode named : json.path("switch")) {
        named.forEach(each -> targets.add(each.path("then").asText()));
      }
      return targets;
    }
  }

  private static ListWalk walk(List<NamedTask> tasks, KnownMembers first) {
    return new ListWalk(tasks, first, MAX_DEPTH);
  }

  private static ListWalk walk(JsonNode list, KnownMembers first, int depth) {
    List<NamedTask> tasks = new ArrayList<>();
    for (JsonNode item : list) {
      item.properties().forEach(each -> tasks.add(new NamedTask(each.getKey(), each.getValue())));
    }
    return new ListWalk(tasks, first, depth);
  }

  /** The way of data through a list of tasks. */
  private static final class ListWalk {
    private final List<KnownMembers> inputs = new ArrayList<>();
    private final Map<String, KnownMembers> jumps = new HashMap<>();
    private KnownMembers output = KnownMembers.NONE;

    ListWalk(List<NamedTask> tasks, KnownMembers first, int depth) {
      Set<String> repeated = repeated(tasks);
      KnownMembers next = first;
      for (NamedTask task : tasks) {
        KnownMembers input = next.or(jumps.getOrDefault(task.name(), KnownMembers.NONE));
        input = repeated.contains(task.name()) ? KnownMembers.ANY : input;
        inputs.add(input);
        KnownMembers made = output(task.json(), input, depth);
        task.targets().forEach(target -> jumps.merge(target, made, KnownMembers::or));
        next = task.mayContinue() ? made : KnownMembers.NONE;
      }
      output = next.or(jumps.getOrDefault("exit", KnownMembers.NONE));
    }

    /** The tasks to which later ones lead back. */
    private static Set<String> repeated(List<NamedTask> tasks) {
      Set<String> passed = new HashSet<>();
      Set<String> repeated = new HashSet<>();
      for (NamedTask task : tasks) {
        passed.add(task.name());
        task.targets().stream().filter(passed::contains).forEach(repeated::add);
      }
      return repeated;
    }
  }

  private static KnownMembers output(JsonNode task, KnownMembers raw, int depth) {
    KnownMembers input = transformed(task.path("input"), raw);
    KnownMembers made = made(task.path("output").path("as"), work(task, input, depth));
    return task.has("if") ? made.or(raw) : made;
  }

  private static KnownMembers work(JsonNode task, KnownMembers input, int depth) {
    if (task.has("set")) {
      return task.path("set").isObject() ? names(task.path("set")) : KnownMembers.ANY;
    }
    if (task.has("wait") || task.has("switch")) {
      return input;
    }
    if (task.has("raise")) {
      return KnownMembers.NONE;
    }
    if (depth > 0 && task.has("do") && !task.has("for")) {
      return walk(task.path("do"), input, depth - 1).output;
    }
    if (depth > 0 && task.has("try")) {
      JsonNode handler = task.path("catch").path("do");
      KnownMembers caught =
          handler.isMissingNode() ? input : walk(handler, input, depth - 1).output;
      return walk(task.path("try"), input, depth - 1).output.or(caught);
    }
    return KnownMembers.ANY;
  }

  private static KnownMembers made(JsonNode transformation, KnownMembers from) {
    if (transformation.isObject()) {
      return names(transformation);
    }
    return transformation.isMissingNode() || isIdentity(transformation) ? from : KnownMembers.ANY;
  }

  private static boolean isIdentity(JsonNode transformation) {
    ExpressionText enclosed = ExpressionText.of(transformation.asText());
    String source = enclosed == null ? transformation.asText() : enclosed.source();
    return source.strip().equals(".");
  }

  private static KnownMembers ofSchema(JsonNode schema) {
    JsonNode more = schema.path("additionalProperties");
    boolean closed = more.isMissingNode() || (more.isBoolean() && !more.booleanValue());
    if (!closed || !schema.path("properties").isObject() || OPEN.stream().anyMatch(schema::has)) {
      return KnownMembers.ANY;
    }
    Set<String> names = new LinkedHashSet<>();
    schema.path("properties").fieldNames().forEachRemaining(names::add);
    schema.path("required").forEach(name -> names.add(name.asText()));
    return KnownMembers.of(names);
  }

  private static KnownMembers names(JsonNode object) {
    Set<String> names = new LinkedHashSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return KnownMembers.of(names);
  }
}
