package dev.pinion.core.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import dev.pinion.core.model.instance.Tags;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Lifecycle events as the specification has them. */
class LifecycleEventsTest {
  private static final InstanceId ID = new InstanceId(4_711L << 10);
  private static final String NAME = "orderPet-" + ID + ".samples";
  private static final long MILLIS = 1_700_000_000_000L;
  private static final String TIME = "2023-11-14T22:13:20Z";
  private static final Set<LifecycleEventType> ALL = EnumSet.allOf(LifecycleEventType.class);
  private static final WorkflowError ERROR =
      new WorkflowError("https://example.com/e", 503, "Service Not Available", null, "/do/0/a");

  private static HistoryEvent entry(
      EventKind kind,
      boolean ofTask,
      @Nullable Payload output,
      @Nullable WorkflowError error,
      @Nullable String detail) {
    return new HistoryEvent(
        ID,
        17,
        kind,
        MILLIS,
        new DefinitionKey("samples", "orderPet", "1.2.3"),
        ofTask ? new HistoryEvent.TaskRun("/do/1/initialize", "initialize", 3) : null,
        MILLIS - 5,
        Payload.of("input"),
        output,
        error,
        detail,
        Tags.NONE);
  }

  private static HistoryEvent ofWorkflow(EventKind kind) {
    return entry(kind, false, null, null, null);
  }

  private static HistoryEvent ofTask(EventKind kind) {
    return entry(kind, true, null, null, null);
  }

  /** The data of the only event of a type. */
  private static String data(HistoryEvent entry, LifecycleEventType type) {
    List<Payload> events = LifecycleEvents.of(entry, Set.of(type));
    assertEquals(1, events.size(), events::toString);
    assertEquals(type.type(), events.getFirst().text("type"));
    return String.valueOf(events.getFirst().member("data"));
  }

  @Test
  void shouldBeACloudEventWithSourceSubjectAndTime() {
    Payload event =
        LifecycleEvents.of(
                ofWorkflow(EventKind.INSTANCE_SUSPENDED),
                Set.of(LifecycleEventType.WORKFLOW_SUSPENDED))
            .getFirst();

    assertEquals(
        ("{'specversion':'1.0','id':'%s-17-workflow.suspended',"
                + "'source':'/v1/namespaces/samples/definitions/orderPet',"
                + "'type':'io.serverlessworkflow.workflow.suspended.v1','subject':'%s','time':'%s',"
                + "'datacontenttype':'application/json',"
                + "'data':{'name':'%s','suspendedAt':'%s'}}")
            .formatted(ID, ID, TIME, NAME, TIME)
            .replace('\'', '"'),
        event.toString());
  }

  @Test
  void shouldBeTakenByAnEngineThatItIsPostedTo() throws Exception {
    List<Payload> events = LifecycleEvents.of(ofTask(EventKind.TASK_STARTED), ALL);

    List<ExternalEvent> read = new CloudEventReader(EngineLimits.defaults()).read(events);

    assertEquals(4, read.size());
    assertEquals("io.serverlessworkflow.task.created.v1", read.getFirst().type());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          INSTANCE_SUSPENDED, WORKFLOW_SUSPENDED,           suspendedAt
          INSTANCE_RESUMED,   WORKFLOW_RESUMED,             resumedAt
          INSTANCE_RETRIED,   WORKFLOW_RESUMED,             resumedAt
          INSTANCE_CANCELLED, WORKFLOW_CANCELLED,           cancelledAt
          INSTANCE_COMPLETED, WORKFLOW_COMPLETED,           completedAt
          EVENT_AWAITED,      WORKFLOW_CORRELATION_STARTED, startedAt
          """)
  void shouldTellOfWorkflows(EventKind kind, LifecycleEventType type, String time) {
    assertEquals(
        "{\"name\":\"" + NAME + "\",\"" + time + "\":\"" + TIME + "\"}",
        data(ofWorkflow(kind), type));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          TASK_STARTED,   TASK_CREATED,   createdAt
          TASK_STARTED,   TASK_STARTED,   startedAt
          TASK_SUSPENDED, TASK_SUSPENDED, suspendedAt
          TASK_RESUMED,   TASK_RESUMED,   resumedAt
          TASK_RETRIED,   TASK_RETRIED,   retriedAt
          TASK_CANCELLED, TASK_CANCELLED, cancelledAt
          TASK_SKIPPED,   TASK_COMPLETED, completedAt
          TASK_COMPLETED, TASK_COMPLETED, completedAt
          """)
  void shouldTellOfTasks(EventKind kind, LifecycleEventType type, String time) {
    assertEquals(
        "{\"workflow\":\""
            + NAME
            + "\",\"task\":\"/do/1/initialize\",\""
            + time
            + "\":\""
            + TIME
            + "\"}",
        data(ofTask(kind), type));
  }

  @Test
  void shouldTellTheDefinitionOfAStart() {
    assertEquals(
        ("{'name':'%s','definition':{'name':'orderPet','namespace':'samples','version':'1.2.3'},"
                + "'startedAt':'%s'}")
            .formatted(NAME, TIME)
            .replace('\'', '"'),
        data(ofWorkflow(EventKind.INSTANCE_STARTED), LifecycleEventType.WORKFLOW_STARTED));
  }

  @Test
  void shouldTellOutputs() {
    Payload output = Payload.object(Map.of("id", Payload.of(7)));
    String end = "\"completedAt\":\"" + TIME + "\",\"output\":{\"id\":7}}";

    String workflow =
        data(
            entry(EventKind.INSTANCE_COMPLETED, false, output, null, null),
            LifecycleEventType.WORKFLOW_COMPLETED);
    String task =
        data(
            entry(EventKind.TASK_COMPLETED, true, output, null, null),
            LifecycleEventType.TASK_COMPLETED);
    String nothing =
        data(
            entry(EventKind.TASK_COMPLETED, true, Payload.NULL, null, null),
            LifecycleEventType.TASK_COMPLETED);

    assertTrue(workflow.endsWith(end), workflow);
    assertTrue(task.endsWith(end), task);
    assertFalse(nothing.contains("output"), nothing);
  }

  @Test
  void shouldTellErrors() {
    String end =
        "\"faultedAt\":\""
            + TIME
            + "\",\"error\":{\"type\":\"https://example.com/e\",\"status\":503,"
            + "\"title\":\"Service Not Available\",\"instance\":\"/do/0/a\"}}";

    String workflow =
        data(
            entry(EventKind.INSTANCE_FAULTED, false, null, ERROR, null),
            LifecycleEventType.WORKFLOW_FAULTED);
    String task =
        data(
            entry(EventKind.TASK_FAILED, true, null, ERROR, null), LifecycleEventType.TASK_FAULTED);

    assertTrue(workflow.endsWith(end), workflow);
    assertTrue(task.endsWith(end), task);
  }

  @Test
  void shouldTellTheKeysOfACorrelationWithoutItsTask() {
    Payload keys = Payload.object(Map.of("orderId", Payload.of("o-7")));

    assertEquals(
        "{\"name\":\""
            + NAME
            + "\",\"completedAt\":\""
            + TIME
            + "\",\"correlationKeys\":{\"orderId\":\"o-7\"}}",
        data(
            entry(EventKind.EVENT_CORRELATED, true, keys, null, null),
            LifecycleEventType.WORKFLOW_CORRELATION_COMPLETED));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          INSTANCE_STARTED,   running
          INSTANCE_BEGUN,     running
          INSTANCE_SUSPENDED, suspended
          INSTANCE_RESUMED,   running
          INSTANCE_RETRIED,   running
          INSTANCE_CANCELLED, cancelled
          INSTANCE_FAULTED,   faulted
          INSTANCE_COMPLETED, completed
          """)
  void shouldTellPhasesOfWorkflows(EventKind kind, String phase) {
    assertEquals(
        "{\"name\":\"" + NAME + "\",\"updatedAt\":\"" + TIME + "\",\"status\":\"" + phase + "\"}",
        data(ofWorkflow(kind), LifecycleEventType.WORKFLOW_STATUS_CHANGED));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          TASK_SUSPENDED,   suspended
          TASK_RESUMED,     running
          TASK_RETRIED,     running
          TASK_CANCELLED,   cancelled
          TASK_FAILED,      faulted
          TASK_SKIPPED,     completed
          TASK_COMPLETED,   completed
          TIMER_STARTED,    waiting
          EVENT_AWAITED,    waiting
          EVENT_CORRELATED, running
          """)
  void shouldTellPhasesOfTasks(EventKind kind, String phase) {
    String data = data(ofTask(kind), LifecycleEventType.TASK_STATUS_CHANGED);

    assertTrue(data.endsWith("\"status\":\"" + phase + "\"}"), data);
  }

  @Test
  void shouldTellOfNoTaskWhileTheWorkflowWaitsForItsStart() {
    HistoryEvent delayed =
        new HistoryEvent(
            ID,
            18,
            EventKind.TIMER_STARTED,
            MILLIS,
            new DefinitionKey("samples", "orderPet", "1.2.3"),
            new HistoryEvent.TaskRun("/", "orderPet", 0),
            MILLIS,
            null,
            null,
            null,
            "until " + TIME,
            Tags.NONE);

    assertEquals(List.of(), LifecycleEvents.of(delayed, ALL));
  }

  @Test
  void shouldTellThatAWorkflowHasStartedWhenItsTimeHasCome() {
    HistoryEvent accepted = entry(EventKind.INSTANCE_STARTED, false, null, null, "pending");
    HistoryEvent resumed = entry(EventKind.INSTANCE_RESUMED, false, null, null, "pending");

    List<Payload> told = LifecycleEvents.of(accepted, ALL);
    assertEquals(
        List.of(LifecycleEventType.WORKFLOW_STATUS_CHANGED.type()),
        told.stream().map(event -> event.text("type")).toList());
    assertEquals("pending", status(told.getLast()));
    assertEquals("pending", status(LifecycleEvents.of(resumed, ALL).getLast()));
    assertEquals(
        List.of(ID + "-17-workflow.started", ID + "-17-workflow.status-changed-running"),
        LifecycleEvents.of(ofWorkflow(EventKind.INSTANCE_BEGUN), ALL).stream()
            .map(event -> event.text("id"))
            .toList());
  }

  private static @Nullable String status(Payload event) {
    Payload data = event.member("data");
    return data == null ? null : data.text("status");
  }

  @Test
  void shouldTellThatATaskGoesOnWaiting() {
    String data =
        data(
            entry(EventKind.TASK_RESUMED, true, null, null, "waiting"),
            LifecycleEventType.TASK_STATUS_CHANGED);

    assertTrue(data.endsWith("\"status\":\"waiting\"}"), data);
  }

  @Test
  void shouldCreateATaskBeforeItStarts() {
    List<Payload> events = LifecycleEvents.of(ofTask(EventKind.TASK_STARTED), ALL);

    assertEquals(
        List.of(
            ID + "-17-task.created",
            ID + "-17-task.status-changed-pending",
            ID + "-17-task.started",
            ID + "-17-task.status-changed-running"),
        events.stream().map(event -> event.text("id")).toList());
  }

  @ParameterizedTest
  @EnumSource(EventKind.class)
  void shouldGiveEachEventAnIdOfItsOwnAndKnowFromWhatItIsMade(EventKind kind) {
    List<Payload> events = LifecycleEvents.of(ofTask(kind), ALL);
    Set<String> ids = new HashSet<>();
    events.forEach(event -> ids.add(String.valueOf(event.text("id"))));

    assertEquals(events.size(), ids.size());
    assertEquals(!events.isEmpty(), LifecycleEvents.areMadeOf(kind, ALL));
    assertFalse(LifecycleEvents.areMadeOf(kind, Set.of()));
    assertEquals(List.of(), LifecycleEvents.of(ofTask(kind), Set.of()));
  }

  @Test
  void shouldBeMadeOfSomeEntryEach() {
    for (LifecycleEventType type : LifecycleEventType.values()) {
      assertTrue(
          EnumSet.allOf(EventKind.class).stream()
              .anyMatch(kind -> LifecycleEvents.areMadeOf(kind, Set.of(type))),
          type::label);
    }
  }
}
