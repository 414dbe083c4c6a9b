package dev.pinion.core.graph;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.Payload;
import dev.pinion.core.schedule.ScheduleRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The graph of an instance that keeps the schedule of a definition: one task that starts runs, for
 * ever. It follows from the definition, and has its name with a suffix that no other name has.
 */
public final class ScheduleGraph {
  /** JSON pointer of the only task: that of the schedule in its document. */
  public static final String POINTER = "/schedule";

  private static final String SUFFIX = ".schedule";
  private static final String TASK = "schedule";

  private ScheduleGraph() {}

  /**
   * The graph for a definition.
   *
   * @param events the events that start runs; null when runs are due by time
   */
  static ProcessGraph of(
      ProcessGraph definition, ScheduleRule rule, @Nullable ScheduleEvents events) {
    DefinitionKey key = definition.key();
    TaskAttributes common =
        new TaskAttributes(
            new TaskAttributes.TaskIdentity(0, TASK, POINTER, Payload.NULL),
            null,
            DataTransform.NONE,
            DataTransform.NONE,
            DataTransform.NONE,
            null,
            FlowDirective.CONTINUE);
    return ProcessGraph.of(
        new ProcessGraph.DefinitionContent(
            new DefinitionKey(key.namespace(), key.name() + SUFFIX, key.version()),
            definition.definition(),
            definition.fingerprint()),
        1,
        DataTransform.NONE,
        new Block(List.of(new Node.Schedule(common, key, rule, listens(common, events)))),
        DataTransform.NONE,
        null,
        durability(definition));
  }

  private static Node.@Nullable Listen listens(
      TaskAttributes common, @Nullable ScheduleEvents events) {
    return events == null ? null : new Node.Listen(common, events.to(), events.read(), null);
  }

  /** The schedule of runs in memory is kept as durably as anything else. */
  private static @Nullable Durability durability(ProcessGraph definition) {
    return definition.durability() == Durability.NONE ? null : definition.durability();
  }

  /** The definition whose schedule instances of this key keep; null for any other key. */
  public static @Nullable DefinitionKey definitionOf(DefinitionKey key) {
    String name = key.name();
    return name.endsWith(SUFFIX)
        ? new DefinitionKey(
            key.namespace(), name.substring(0, name.length() - SUFFIX.length()), key.version())
        : null;
  }

  /** Whether instances of a key keep a schedule. */
  public static boolean isKey(DefinitionKey key) {
    return key.name().endsWith(SUFFIX);
  }
}
