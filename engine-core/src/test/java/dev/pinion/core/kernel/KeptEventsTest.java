package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.CompiledTasks.listen;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that nobody listened to, for those who come within the time that they are kept. */
class KeptEventsTest {
  private static final ProcessGraph NOTED = listen("{one: {with: {type: noted}}}");

  @RegisterExtension
  final KernelHarness kernel =
      new KernelHarness(Map.of("events.keepMillis", 10_000, "events.maxUnheardBytes", 4_096));

  private InstanceId start(ProcessGraph graph) {
    return kernel.start(graph, PostedEvents.json("{}"));
  }

  private void post(String type, String data) {
    kernel.events.post(type, data);
    kernel.settle();
  }

  private void assertOutput(String expected, InstanceId id) {
    assertEquals(PostedEvents.json(expected), kernel.output(id));
  }

  private long kept() {
    return kernel.kernel().counters().listening().unheard();
  }

  @Test
  void shouldGiveAnEventToTheFirstWhoComes() {
    post("noted", "1");
    post("other", "2");
    post("noted", "3");
    assertEquals(3, kept());
    assertOutput("[1]", start(NOTED));
    assertOutput("[3]", start(NOTED));
    InstanceId late = start(NOTED);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    assertEquals(1, kept());
    post("noted", "4");
    assertOutput("[4]", late);
  }

  @Test
  void shouldNotKeepWhatSomeoneHasConsumed() {
    InstanceId first = start(NOTED);
    post("noted", "1");
    assertOutput("[1]", first);
    assertEquals(InstanceState.WAITING, kernel.state(start(NOTED)));
    assertEquals(0, kept());
  }

  @Test
  void shouldKeepAnEventForItsTime() {
    post("noted", "1");
    kernel.advance(Duration.ofMillis(10_000));
    assertOutput("[1]", start(NOTED));
    post("noted", "2");
    kernel.advance(Duration.ofMillis(10_001));
    assertEquals(0, kept());
    InstanceId late = start(NOTED);
    assertEquals(InstanceState.WAITING, kernel.state(late));
    post("noted", "3");
    assertOutput("[3]", late);
  }

  @Test
  void shouldDropTheOldestWhereThereIsNoRoom() {
    post("noted", "'" + "x".repeat(1_000) + "'");
    for (int i = 0; i < 3; i++) {
      post("noted", Integer.toString(i));
    }
    long before = kept();
    assertEquals(4, before);
    post("noted", "'" + "y".repeat(1_500) + "'");
    assertOutput("[0]", start(NOTED));
  }

  @Test
  void shouldGiveAListenerSeveral() {
    post("noted", "1");
    post("closed", "2");
    post("noted", "3");
    InstanceId id =
        start(listen("{any: [{with: {type: noted}}], until: {one: {with: {type: closed}}}}"));
    assertOutput("[1]", id);
    assertEquals(1, kept(), "that behind the end");
  }

  /** Thousands may be kept of other types. */
  @Test
  void shouldCompareAListenerWithKeptEventsOfItsTypeOnly() {
    for (int i = 0; i < 3; i++) {
      post("other", Integer.toString(i));
    }
    post("noted", "7");
    assertOutput("[7]", start(listen("{one: {with: {type: noted, data: '${ . > 1 }'}}}")));
    assertEquals(1, kernel.kernel().counters().listening().parts());
    assertEquals(3, kept());
  }

  @Test
  void shouldGiveAnyKeptEventToWhoAsksForNoType() {
    post("other", "1");
    post("noted", "2");
    assertOutput("[2]", start(listen("{one: {with: {source: /test, data: '${ . > 1 }'}}}")));
    assertEquals(1, kept());
  }

  @Test
  void shouldStayInTheLogForItsTime() {
    post("noted", "1");
    kernel.events.save();
    assertEquals(1, kernel.events.log.size());
    kernel.advance(Duration.ofMillis(10_000));
    kernel.events.save();
    assertEquals(0, kernel.events.log.size());
    assertEquals(1, kernel.events.log.dropped());
  }

  @Test
  void shouldNotBeDroppedOnceItIsConsumed() {
    post("noted", "1");
    assertOutput("[1]", start(NOTED));
    kernel.events.save();
    kernel.advance(Duration.ofMillis(10_000));
    kernel.events.save();
    assertEquals(0, kernel.events.log.size());
    assertEquals(0, kernel.events.log.dropped());
  }
}
