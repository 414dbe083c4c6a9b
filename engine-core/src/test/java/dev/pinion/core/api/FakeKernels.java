package dev.pinion.core.api;

import dev.pinion.core.api.port.KernelDispatcher;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.stage.Lane;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Kernels played by a test: by default a start ends at once with its input as output; a test may
 * take the messages instead and answer by hand.
 */
public final class FakeKernels implements KernelDispatcher {
  static final long STARTED = 1_767_323_045_678L; // 2026-01-02T03:04:05.678Z
  public static final InstanceId ID = InstanceId.next(STARTED, 3, null);

  final BlockingQueue<KernelMessage> messages = new LinkedBlockingQueue<>();
  final AtomicLong starts = new AtomicLong();
  volatile boolean full;
  volatile int kernels = 1;
  public volatile Consumer<KernelMessage> script = this::echo;
  private @Nullable Lane<AddressedReply> replies;

  void answersThrough(Lane<AddressedReply> lane) {
    replies = lane;
  }

  /** Leaves the answers to the test. */
  public void byHand() {
    script = messages::add;
  }

  public <T extends KernelMessage> T next(Class<T> type) throws InterruptedException {
    KernelMessage message = messages.poll(10, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("expected " + type.getSimpleName() + ", found nothing in 10 s");
    }
    return type.cast(message);
  }

  public void reply(@Nullable ReplyAddress<?> to, Reply reply) {
    if (to == null || replies == null || !replies.offer(new AddressedReply(to.request(), reply))) {
      throw new AssertionError("expected room for " + reply);
    }
  }

  void echo(KernelMessage message) {
    if (message instanceof Command.Start start) {
      reply(start.replyTo(), new Reply.Accepted(ID, FakeDefinitionCatalog.KEY));
      if (start.awaitEnd()) {
        reply(start.replyTo(), new Reply.Ended(completed(start, start.input())));
      }
    } else {
      messages.add(message);
    }
  }

  static InstanceView completed(Command.Start start, Payload output) {
    return new InstanceView(
        ID,
        start.definition(),
        InstanceState.COMPLETED,
        STARTED,
        STARTED + 7,
        5,
        output,
        null,
        Tags.NONE);
  }

  public static InstanceView view(
      InstanceId id, InstanceState state, @Nullable WorkflowError error) {
    Payload output = state == InstanceState.COMPLETED ? Payload.of("done") : null;
    long ended = state.isTerminal() ? STARTED + 7 : 0;
    return new InstanceView(
        id, FakeDefinitionCatalog.KEY, state, STARTED, ended, 5, output, error, Tags.NONE);
  }

  @Override
  public boolean offer(Command command) {
    return take(command);
  }

  @Override
  public boolean offer(Query.InstanceQuery query) {
    return take(query);
  }

  @Override
  public boolean offer(Query.GetSchedule query) {
    return take(query);
  }

  private boolean take(KernelMessage message) {
    if (full) {
      return false;
    }
    if (message instanceof Command.Start) {
      starts.incrementAndGet();
    }
    script.accept(message);
    return true;
  }

  @Override
  public boolean offerToAll(Query.ListQuery question) {
    return take(question);
  }

  @Override
  public int kernels() {
    return kernels;
  }

  @Override
  public int startPartition() {
    return 3;
  }
}
