package dev.pinion.core.kernel;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.StartKey;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts of definitions that are disabled, and instances that began before. */
class DisabledDefinitionsTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private final ProcessGraph calls = graph(call("c"));
  private final StartKey key = StartKey.of("s", "k", ByteBuffer.allocate(0)).withPartition(0);

  private Reply reply(long request) {
    harness.settle();
    return harness.reply(request);
  }

  @Test
  void shouldRefuseAStart() {
    harness.disable(calls);

    Reply reply = reply(harness.offerStart(0, calls, Payload.NULL, true));

    assertEquals(new Reply.DefinitionDisabled(calls.key()), reply);
    assertEquals(0, harness.kernel().instances().size());
    assertEquals(0, harness.journal.entries().size());
  }

  @Test
  void shouldContinueWhatBeganBefore() {
    InstanceId id = harness.start(calls);
    harness.disable(calls);

    harness.answer("c", json("1"));

    assertEquals(json("1"), harness.output(id));
  }

  @Test
  void shouldTellARepeatedStartOfItsInstance() {
    Reply first = reply(harness.offerStart(calls, key, false, false));
    harness.disable(calls);

    assertEquals(first, reply(harness.offerStart(calls, key, false, false)));
    StartKey other = StartKey.of("s", "other", ByteBuffer.allocate(0)).withPartition(0);
    assertEquals(
        new Reply.DefinitionDisabled(calls.key()),
        reply(harness.offerStart(calls, other, false, false)));
  }

  @Test
  void shouldRetryAndNotRerun() {
    InstanceId id = harness.start(calls);
    harness.fail("c", 500);
    harness.disable(calls);

    ReplyAddress<Reply.StartReply> to = harness.newAddress();
    harness.offer(0, new Command.Rerun(id, to, false, null, false));
    assertEquals(new Reply.DefinitionDisabled(calls.key()), reply(to.request()));

    assertInstanceOf(Reply.Accepted.class, reply(harness.offerRetry(id)));
    assertEquals(InstanceState.RUNNING, harness.state(id));
  }
}
