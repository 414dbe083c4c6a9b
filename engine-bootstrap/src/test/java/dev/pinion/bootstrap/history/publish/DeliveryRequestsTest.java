package dev.pinion.bootstrap.history.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.LifecycleEventType;
import dev.pinion.core.model.instance.Tags;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Events that a subscriber gets of an entry of the history. */
class DeliveryRequestsTest {
  private static final long MILLIS = 1_700_000_000_000L;
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private static final Subscription STARTS =
      new Subscription(
          "starts",
          URI.create("http://127.0.0.1/"),
          new EventSelection(
              Set.of(EventKind.INSTANCE_STARTED), Set.of(LifecycleEventType.WORKFLOW_STARTED)),
          null,
          null,
          Subscription.ContentMode.STRUCTURED,
          null,
          "application/json",
          0,
          0,
          Long.MAX_VALUE);

  /** Types of the events of the start of an instance. */
  private static List<String> types(String definition) {
    HistoryEvent started =
        new HistoryEvent(
            new InstanceId(4_711L << 10),
            1,
            EventKind.INSTANCE_STARTED,
            MILLIS,
            new DefinitionKey("n", definition, "1.0.0"),
            null,
            MILLIS,
            null,
            null,
            null,
            null,
            Tags.NONE);
    String text = new CloudEventWriter(CODEC, 1_000).text(started);
    OutboxEvent event = new OutboxEvent(1, EventKind.INSTANCE_STARTED, "n", definition, text);
    DeliveryRequests made = new DeliveryRequests(STARTS, EngineLimits.defaults(), CODEC);
    return made.events(event).stream().map(each -> String.valueOf(each.text("type"))).toList();
  }

  @Test
  void shouldMakeBothFormsOfAnEntry() {
    assertEquals(
        List.of("dev.pinion.instance.started", "io.serverlessworkflow.workflow.started.v1"),
        types("d"));
  }

  @Test
  void shouldMakeNoLifecycleEventsOfWhatKeepsASchedule() {
    assertEquals(List.of("dev.pinion.instance.started"), types("d.schedule"));
  }
}
