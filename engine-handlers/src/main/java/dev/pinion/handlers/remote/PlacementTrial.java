package dev.pinion.handlers.remote;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.config.HandlerProvider.RemoteHandlerRequest;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Measures a handler here and in a host with one message, alternating. */
final class PlacementTrial {
  private static final int WARM_UP = 5;
  // For padding only: no handler reads such a property unless it reads all.
  private static final String PADDING = "pinion.padding";
  private static final int PADDING_CHARS = 8_192;

  private final Requester requester;
  private final RemoteHandlerRequest remoteHandlerRequest;
  private final Clock clock;
  private final View view;
  private final Message padded;
  private final long size;
  private CostModel model = new CostModel();

  PlacementTrial(
      Requester requester,
      RemoteHandlerRequest remoteHandlerRequest,
      Message message,
      EngineLimits limits) {
    this.requester = requester;
    this.remoteHandlerRequest = remoteHandlerRequest;
    this.clock = requester.clock();
    this.view = new View(message, remoteHandlerRequest.declared(), new PayloadCodec(limits.json()));
    Message visible = view.visible();
    this.size = visible.body().size();
    SortedMap<String, String> properties = new TreeMap<>(visible.properties());
    properties.put(PADDING, "x".repeat(PADDING_CHARS));
    this.padded = new Message(visible.id(), visible.point(), properties, visible.body());
  }

  /**
   * Measures.
   *
   * @throws Exception when the handler fails or no host answers
   */
  PlacementDecision run(int times) throws Exception {
    rounds(WARM_UP);
    model = new CostModel();
    rounds(Math.max(CostModel.FIRST, times));
    model.goesAway(size);
    return model.decision(size);
  }

  private void rounds(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      here(remoteHandlerRequest.local());
      away(view.visible(), size);
      away(padded, size + PADDING_CHARS);
    }
  }

  private void here(Handler local) throws Exception {
    long began = clock.nanoTime();
    local.handle(view);
    model.local(size, clock.nanoTime() - began);
  }

  private void away(Message message, long bytes) throws Exception {
    PendingReply pendingReply = new PendingReply();
    long began = clock.nanoTime();
    requester.begin(
        new HandlerTask(
            HandlerOperation.HANDLE,
            remoteHandlerRequest.chain(),
            remoteHandlerRequest.step(),
            remoteHandlerRequest.use(),
            remoteHandlerRequest.settings(),
            message),
        true,
        remoteHandlerRequest.declared().timeout().toNanos(),
        pendingReply);
    try {
      pendingReply.verdict.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    model.remote(bytes, clock.nanoTime() - began, pendingReply.handledNanos);
  }

  private static final class PendingReply implements TimedReply {
    private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    private volatile long handledNanos;

    @Override
    public void handledIn(long nanos) {
      handledNanos = nanos;
    }

    @Override
    public void done(Verdict given) {
      verdict.complete(given);
    }

    @Override
    public void failed(Throwable failure) {
      verdict.completeExceptionally(failure);
    }
  }
}
