package dev.pinion.core.events;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import dev.pinion.core.model.instance.StatusPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lifecycle events (DSL reference, "Lifecycle Events") as CloudEvents, made of entries of the
 * history: none, one or several of each. The same entry always gives the same events, with the same
 * ids.
 */
public final class LifecycleEvents {
  /** JSON pointer of the workflow among those of its tasks. */
  private static final String WORKFLOW = "/";

  /** What each kind of entry makes, in order; kinds that are left out make nothing. */
  private static final Map<EventKind, List<Notification>> BY_KIND =
      Map.ofEntries(
          change(
              EventKind.INSTANCE_STARTED, LifecycleEventType.WORKFLOW_STARTED, StatusPhase.RUNNING),
          change(
              EventKind.INSTANCE_BEGUN, LifecycleEventType.WORKFLOW_STARTED, StatusPhase.RUNNING),
          change(
              EventKind.INSTANCE_SUSPENDED,
              LifecycleEventType.WORKFLOW_SUSPENDED,
              StatusPhase.SUSPENDED),
          change(
              EventKind.INSTANCE_RESUMED, LifecycleEventType.WORKFLOW_RESUMED, StatusPhase.RUNNING),
          change(
              EventKind.INSTANCE_RETRIED, LifecycleEventType.WORKFLOW_RESUMED, StatusPhase.RUNNING),
          change(
              EventKind.INSTANCE_CANCELLED,
              LifecycleEventType.WORKFLOW_CANCELLED,
              StatusPhase.CANCELLED),
          change(
              EventKind.INSTANCE_FAULTED, LifecycleEventType.WORKFLOW_FAULTED, StatusPhase.FAULTED),
          change(
              EventKind.INSTANCE_COMPLETED,
              LifecycleEventType.WORKFLOW_COMPLETED,
              StatusPhase.COMPLETED),
          Map.entry(
              EventKind.TASK_STARTED,
              Stream.concat(
                      notifications(LifecycleEventType.TASK_CREATED, StatusPhase.PENDING),
                      notifications(LifecycleEventType.TASK_STARTED, StatusPhase.RUNNING))
                  .toList()),
          change(
              EventKind.TASK_SUSPENDED, LifecycleEventType.TASK_SUSPENDED, StatusPhase.SUSPENDED),
          change(EventKind.TASK_RESUMED, LifecycleEventType.TASK_RESUMED, StatusPhase.RUNNING),
          change(EventKind.TASK_RETRIED, LifecycleEventType.TASK_RETRIED, StatusPhase.RUNNING),
          change(
              EventKind.TASK_CANCELLED, LifecycleEventType.TASK_CANCELLED, StatusPhase.CANCELLED),
          change(EventKind.TASK_FAILED, LifecycleEventType.TASK_FAULTED, StatusPhase.FAULTED),
          change(EventKind.TASK_SKIPPED, LifecycleEventType.TASK_COMPLETED, StatusPhase.COMPLETED),
          change(
              EventKind.TASK_COMPLETED, LifecycleEventType.TASK_COMPLETED, StatusPhase.COMPLETED),
          Map.entry(EventKind.TIMER_STARTED, List.of(taskIs(StatusPhase.WAITING))),
          Map.entry(
              EventKind.EVENT_AWAITED,
              List.of(
                  new Notification(LifecycleEventType.WORKFLOW_CORRELATION_STARTED, null),
                  taskIs(StatusPhase.WAITING))),
          Map.entry(
              EventKind.EVENT_CORRELATED,
              List.of(
                  new Notification(LifecycleEventType.WORKFLOW_CORRELATION_COMPLETED, null),
                  taskIs(StatusPhase.RUNNING))));

  private LifecycleEvents() {}

  /**
   * An event that is made of a kind of entry.
   *
   * @param phase phase that it tells; null for an event that tells more than a phase
   */
  private record Notification(LifecycleEventType type, @Nullable StatusPhase phase) {}

  private static Map.Entry<EventKind, List<Notification>> change(
      EventKind eventKind, LifecycleEventType type, StatusPhase phase) {
    return Map.entry(eventKind, notifications(type, phase).toList());
  }

  /** An event, and the one that tells the phase alone. */
  private static Stream<Notification> notifications(LifecycleEventType type, StatusPhase phase) {
    LifecycleEventType status =
        type.isOfTask()
            ? LifecycleEventType.TASK_STATUS_CHANGED
            : LifecycleEventType.WORKFLOW_STATUS_CHANGED;
    return Stream.of(new Notification(type, null), new Notification(status, phase));
  }

  private static Notification taskIs(StatusPhase phase) {
    return new Notification(LifecycleEventType.TASK_STATUS_CHANGED, phase);
  }

  /** Whether any of some types is made of a kind of entry. */
  public static boolean areMadeOf(EventKind eventKind, Set<LifecycleEventType> types) {
    if (!types.isEmpty()) {
      for (Notification each : BY_KIND.getOrDefault(eventKind, List.of())) {
        if (types.contains(each.type)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The events of some types that are made of an entry, in order. */
  public static List<Payload> of(HistoryEvent entry, Set<LifecycleEventType> types) {
    List<Payload> events = new ArrayList<>();
    for (Notification each : BY_KIND.getOrDefault(entry.kind(), List.of())) {
      if (types.contains(each.type) && makes(entry, each.type)) {
        events.add(event(entry, each));
      }
    }
    return events;
  }

  /** Whether an entry makes an event: its workflow may wait until the time of its start. */
  private static boolean makes(HistoryEvent entry, LifecycleEventType type) {
    return type.isOfTask()
        ? !isOfWorkflow(entry)
        : type != LifecycleEventType.WORKFLOW_STARTED || !isPending(entry);
  }

  /** Whether the workflow of an entry waits until the time of its start. */
  private static boolean isPending(HistoryEvent entry) {
    return (entry.kind() == EventKind.INSTANCE_STARTED
            || entry.kind() == EventKind.INSTANCE_RESUMED)
        && StatusPhase.PENDING.label().equals(entry.detail());
  }

  /** Whether an entry is about the workflow itself, which waits until the time of its start. */
  private static boolean isOfWorkflow(HistoryEvent entry) {
    HistoryEvent.TaskRun task = entry.task();
    return task == null || task.pointer().equals(WORKFLOW);
  }

  private static Payload event(HistoryEvent entry, Notification notification) {
    DefinitionKey definition = entry.definition();
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("specversion", Payload.of("1.0"));
    members.put("id", Payload.of(id(entry, notification)));
    members.put(
        "source",
        Payload.of(
            "/v1/namespaces/" + definition.namespace() + "/definitions/" + definition.name()));
    members.put("type", Payload.of(notification.type.type()));
    members.put("subject", Payload.of(entry.id().toString()));
    members.put("time", time(entry));
    members.put("datacontenttype", Payload.of("application/json"));
    members.put("data", data(entry, notification));
    return Payload.object(members);
  }

  private static String id(HistoryEvent entry, Notification notification) {
    String id = entry.id() + "-" + entry.sequence() + "-" + notification.type.label();
    return notification.phase == null ? id : id + "-" + notification.phase.label();
  }

  private static Payload time(HistoryEvent entry) {
    return Payload.of(Instant.ofEpochMilli(entry.epochMillis()).toString());
  }

  private static Payload data(HistoryEvent entry, Notification notification) {
    LifecycleEventType type = notification.type;
    HistoryEvent.TaskRun task = entry.task();
    Map<String, Payload> data = new LinkedHashMap<>();
    data.put(type.isOfTask() ? "workflow" : "name", Payload.of(qualifiedName(entry)));
    if (type.isOfTask() && task != null) {
      data.put("task", Payload.of(task.pointer()));
    } else if (type == LifecycleEventType.WORKFLOW_STARTED) {
      data.put("definition", reference(entry.definition()));
    }
    data.put(type.time(), time(entry));
    switch (type) {
      case WORKFLOW_FAULTED, TASK_FAULTED -> put(data, "error", payload(entry.error()));
      case WORKFLOW_COMPLETED, TASK_COMPLETED -> put(data, "output", entry.output());
      case WORKFLOW_CORRELATION_COMPLETED -> put(data, "correlationKeys", entry.output());
      default -> {
        if (notification.phase != null) {
          data.put("status", Payload.of(phase(entry, notification.phase).label()));
        }
      }
    }
    return Payload.object(data);
  }

  /** Name of the instance and the namespace of its definition. */
  private static String qualifiedName(HistoryEvent entry) {
    DefinitionKey definition = entry.definition();
    return definition.name() + "-" + entry.id() + "." + definition.namespace();
  }

  private static Payload reference(DefinitionKey definition) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("name", Payload.of(definition.name()));
    members.put("namespace", Payload.of(definition.namespace()));
    members.put("version", Payload.of(definition.version()));
    return Payload.object(members);
  }

  /** A task that is resumed may go on waiting, and a workflow until the time of its start. */
  private static StatusPhase phase(HistoryEvent entry, StatusPhase usual) {
    if (isPending(entry)) {
      return StatusPhase.PENDING;
    }
    boolean waits =
        entry.kind() == EventKind.TASK_RESUMED
            && StatusPhase.WAITING.label().equals(entry.detail());
    return waits ? StatusPhase.WAITING : usual;
  }

  private static @Nullable Payload payload(@Nullable WorkflowError error) {
    return error == null ? null : error.toPayload();
  }

  private static void put(Map<String, Payload> data, String name, @Nullable Payload value) {
    if (value != null && !value.isNull()) {
      data.put(name, value);
    }
  }
}
