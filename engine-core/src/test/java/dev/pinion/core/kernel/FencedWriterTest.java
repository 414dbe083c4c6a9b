package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A kernel whose journal was taken over by another writer, of which it does not learn. */
class FencedWriterTest {
  // it cannot come to its end: nothing is durable any more
  private final KernelHarness harness = new KernelHarness();

  private final ProcessGraph graph = Tasks.graph(Tasks.pause("nap", Duration.ofDays(1)));

  /** A record that is durable is kept by whoever owns the journal now. */
  @Test
  void shouldAcknowledgeAStartThatIsReportedDurableLate() {
    harness.journal.waitForForce();
    long start = harness.offerStart(0, graph, Payload.NULL, false);
    harness.settle();
    harness.journal.fence();
    assertEquals(List.of(), harness.replies(start));

    harness.journal.force();
    harness.settle();
    assertInstanceOf(Reply.Accepted.class, harness.reply(start));
  }

  /** Another owner may have changed the instance since. */
  @Test
  void shouldNotTellTheStateAsTheLatestAfterAnotherWriterTookOver() {
    InstanceId id = harness.start(graph);
    long before = harness.offerGet(id, false);
    harness.settle();
    assertEquals(1, harness.replies(before).size());

    harness.journal.fence();
    long after = harness.offerGet(id, false);
    harness.settle();
    harness.journal.force();
    harness.settle();
    assertEquals(List.of(), harness.replies(after));
    assertEquals(1, harness.kernel(0).counters().running());
  }
}
