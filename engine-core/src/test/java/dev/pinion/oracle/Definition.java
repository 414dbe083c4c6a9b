package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A random process: its input, its tasks, the processes that these run, and how the services answer
 * that all of them call.
 */
public final class Definition {
  private final String name;
  final @Nullable Expr from;
  final @Nullable Expr as;
  final List<Task> tasks;
  private final JsonNode input;
  private final Map<String, Script> scripts;
  private final List<Definition> children;
  final @Nullable Schedule schedule;

  /**
   * A process.
   *
   * @param input input of an instance that a client starts
   * @param children processes that its tasks run, and theirs
   * @param schedule by which an instance begins, or null where a client starts it
   */
  Definition(
      String name,
      JsonNode input,
      @Nullable Expr from,
      @Nullable Expr as,
      List<Task> tasks,
      Map<String, Script> scripts,
      List<Definition> children,
      @Nullable Schedule schedule) {
    this.name = name;
    this.schedule = schedule;
    this.children = List.copyOf(children);
    this.input = input;
    this.from = from;
    this.as = as;
    this.tasks = tasks;
    this.scripts = scripts;
  }

  /** The process of a seed. */
  public static Definition of(long seed) {
    return RandomDefinition.of(seed);
  }

  /** The name of the definition. */
  public String name() {
    return name;
  }

  /** Processes that its tasks run, and theirs. */
  public List<Definition> children() {
    return children;
  }

  /** Whether an instance begins by a schedule, rather than by a client. */
  public boolean isScheduled() {
    return schedule != null;
  }

  /** Time from the deployment to the first instance; 0 where a client starts it. */
  public long startMillis() {
    return schedule == null ? 0 : schedule.firstMillis();
  }

  /** Input of an instance. */
  public JsonNode input() {
    return input;
  }

  /** The text of the definition, in YAML. */
  public String yaml() {
    return DefinitionText.yaml(this);
  }

  /** Expected course and end of an instance. */
  public Verdict verdict() {
    return new Interpreter(this).run();
  }

  /** The branch from which a service is called; part of the path. */
  public static int branch(String path) {
    return Integer.parseInt(path.substring(2, path.indexOf('/', 1)));
  }

  /**
   * Answer of a service.
   *
   * @param body JSON null for none
   * @param ordinal the number of the call among those of its path, from 1
   */
  public Script.Answer answer(String path, @Nullable JsonNode body, int ordinal) {
    Script script = scripts.get(path);
    if (script == null) {
      throw new IllegalArgumentException("expected a call of a known service, found " + path);
    }
    return script.answer(path, body == null ? NullNode.getInstance() : body, ordinal);
  }
}
