package dev.pinion.core.resource;

import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.invoker.ServiceResponse;
import dev.pinion.core.language.reference.UnavailableDocumentException;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client of a thread that waits: the client of calls, on an event loop of its own. So what
 * holds for the addresses and certificates of calls holds for documents, too.
 */
final class DocumentClient implements AutoCloseable {
  private static final String ACCEPT =
      "application/yaml, application/json, text/*;q=0.9, */*;q=0.1";

  private final StageLoopGroup group;
  private final StageLoop loop;
  private final CallStage stage;

  /**
   * An answer.
   *
   * @param location where the document is instead, or null
   * @param contentType its media type, or null
   * @param contentEncoding its content coding, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared or changed
  record Answer(
      int status,
      @Nullable String location,
      @Nullable String contentType,
      @Nullable String contentEncoding,
      byte[] body) {}

  DocumentClient(Function<EventLoop, ServiceCaller> callers, Clock clock) {
    this.group = StageLoopGroup.parked("documents", 1, Transport.nio(), clock, ThreadSetup.NONE);
    this.loop = group.loops().getFirst();
    this.stage = new CallStage(callers.apply(loop));
    loop.host(List.of(stage));
  }

  /**
   * Fetches a document; waits for the answer.
   *
   * @param nanos longest time
   */
  Answer get(String uri, long nanos) throws UnavailableDocumentException {
    HttpCall call =
        new HttpCall(
            "GET",
            uri,
            List.of(
                new HttpCall.HeaderField("Accept", ACCEPT),
                new HttpCall.HeaderField("Accept-Encoding", "identity")),
            null,
            HttpCall.Output.RAW,
            true);
    Exchange exchange = new Exchange();
    loop.execute(() -> exchange.begin(stage.caller, call));
    try {
      return exchange.answer.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      loop.execute(exchange::cancel);
      throw new UnavailableDocumentException(
          "expected an answer from " + uri + " in time (definition.fetchMillis), found none");
    } catch (ExecutionException e) {
      throw new UnavailableDocumentException(
          "expected the document "
              + uri
              + "; "
              + Objects.requireNonNull(e.getCause()).getMessage());
    } catch (InterruptedException e) {
      loop.execute(exchange::cancel);
      Thread.currentThread().interrupt();
      throw new UnavailableDocumentException(
          "expected the document " + uri + ", found an interruption");
    }
  }

  @Override
  public void close() {
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Drives the client of calls. */
  private static final class CallStage implements Stage {
    private final ServiceCaller caller;

    CallStage(ServiceCaller caller) {
      this.caller = caller;
    }

    @Override
    public String role() {
      return "documents";
    }

    @Override
    public int doWork(long nowNanos, long epochMillis) {
      caller.beginCycle(nowNanos);
      return caller.doWork(nowNanos);
    }

    @Override
    public boolean hasWork() {
      return caller.hasWork();
    }

    @Override
    public long nextDeadlineNanos() {
      return caller.nextDeadlineNanos();
    }

    @Override
    public void onPause(long untilNanos) {
      caller.onPause(untilNanos);
    }

    @Override
    public void onClose() {
      caller.onClose();
    }
  }

  /** One request; on the event loop. */
  private static final class Exchange implements ServiceCaller.InterceptedListener {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private @Nullable OngoingCall ongoing;

    void begin(ServiceCaller caller, HttpCall call) {
      ongoing = caller.call(call, this);
    }

    void cancel() {
      if (ongoing != null) {
        ongoing.cancel();
      }
    }

    @Override
    public @Nullable MessageBody content() {
      return null;
    }

    @Override
    public boolean onResponse(ServiceResponse response) {
      answer.complete(
          new Answer(
              response.status(),
              response.headers().get(HttpHeaderNames.LOCATION),
              response.headers().get(HttpHeaderNames.CONTENT_TYPE),
              response.headers().get(HttpHeaderNames.CONTENT_ENCODING),
              ByteBufUtil.getBytes(response.body())));
      return true;
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      String detail =
          outcome instanceof CallOutcome.Failed failed
              ? String.valueOf(failed.error().detail())
              : "found another outcome";
      answer.completeExceptionally(new IllegalStateException(detail));
    }
  }
}
