package dev.pinion.core.http;

import dev.pinion.core.http.OperatorService.OperatorRequest;
import dev.pinion.core.http.OperatorService.OperatorResponse;
import dev.pinion.core.http.message.PercentEncoding;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.http.message.RequestTarget;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.model.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an operator: one request at a time, in order, each with a time-out. Belongs to
 * the event loop of its channel; other threads make the answers.
 */
// A failed write closes the channel; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class OperatorConnection extends ChannelInboundHandlerAdapter
    implements StrictRequestDecoder.HeadListener, OperatorConnections.Member {
  /** Most bytes of a body: white space, or an object without members. */
  static final int MAX_BODY_BYTES = 1_024;

  private static final Clock CLOCK = Clock.system();
  private static final long IDLE_MILLIS = 30_000;
  private static final long WRITE_MILLIS = 10_000;
  private static final long CLOSING_MILLIS = 2_000;

  private final RequestLimits limits;
  private final CrossSiteCheck sites;
  private final Executor threads;
  private final OperatorService operatorService;
  private final OperatorConnections connections;
  private final StrictRequestDecoder decoder;
  private final ResponseWriter writer = new ResponseWriter();
  private final ByteBuf body = Unpooled.buffer(0, MAX_BODY_BYTES);

  @SuppressWarnings("NullAway.Init") // set by handlerAdded, which comes before every other call
  private ChannelHandlerContext context;

  private @Nullable Future<?> deadline;
  private @Nullable OperatorRequest operatorRequest;

  /** Time from which it has waited for a request. */
  private long waitsSinceNanos = CLOCK.nanoTime();

  /** Whether a complete head has ever arrived. */
  private boolean heard;

  private boolean closing;
  private boolean keepAlive;
  private boolean http10;
  private boolean withoutBody;

  OperatorConnection(
      RequestLimits limits,
      AllowedHosts hosts,
      Executor threads,
      OperatorService operatorService,
      OperatorConnections connections) {
    this.limits = limits;
    this.sites = new CrossSiteCheck(hosts);
    this.threads = threads;
    this.operatorService = operatorService;
    this.connections = connections;
    this.decoder = new StrictRequestDecoder(limits, this);
  }

  /** Decodes for this connection; stands in front of it in the pipeline. */
  StrictRequestDecoder decoder() {
    return decoder;
  }

  @Override
  public long waitedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(CLOCK.nanoTime() - waitsSinceNanos);
  }

  @Override
  public void closeNow() {
    context.close();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    within(IDLE_MILLIS, ctx::close);
  }

  @Override
  public void onHeadBegins() {
    http10 = false;
    withoutBody = false;
    body.clear();
    if (heard) {
      connections.busy(this); // before its first complete head it counts as silent
    }
    String late = "expected a request within " + limits.headTimeoutMillis() + " ms, found less";
    within(limits.headTimeoutMillis(), () -> reject(Problem.of(ProblemType.REQUEST_TIMEOUT, late)));
  }

  @Override
  public void onBadHead(Problem problem) {
    reject(problem);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      if (closing) {
        return;
      }
      if (message instanceof HttpRequest request) {
        onHead(request);
      } else if (message instanceof HttpContent content) {
        onContent(content);
      }
    } catch (ProblemException e) {
      reject(e.problem());
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void onHead(HttpRequest request) throws ProblemException {
    heard = true;
    connections.busy(this);
    http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    withoutBody = request.method().name().equals("HEAD");
    keepAlive = HttpUtil.isKeepAlive(request);
    Problem broken = HeadCheck.problem(request);
    if (broken != null) {
      throw new ProblemException(broken);
    }
    sites.check(request);
    checkFields(request.headers());
    if (HttpUtil.getContentLength(request, 0L) > MAX_BODY_BYTES) {
      throw tooLarge();
    }
    RequestTarget requestTarget = RequestTarget.parse(request.uri());
    String query =
        requestTarget.query() == null ? "" : PercentEncoding.decode(requestTarget.query());
    String path = requestTarget.asterisk() ? "*" : '/' + String.join("/", requestTarget.segments());
    operatorRequest = new OperatorRequest(request.method().name(), path, query);
  }

  private static void checkFields(HttpHeaders headers) throws ProblemException {
    if (headers.getAll(HttpHeaderNames.CONTENT_TYPE).size() > 1) {
      throw new ProblemException(
          ProblemType.MALFORMED_HTTP, "expected one Content-Type, found several");
    }
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    if (origin != null) {
      throw new ProblemException(
          ProblemType.CROSS_SITE, "expected no Origin, found " + Problem.quoted(origin));
    }
    if (headers.contains(HttpHeaderNames.EXPECT)) {
      throw new ProblemException(
          ProblemType.EXPECTATION_FAILED, "expected no Expect, as no body is needed, found one");
    }
  }

  private static ProblemException tooLarge() {
    return new ProblemException(
        ProblemType.BODY_TOO_LARGE,
        "expected at most " + MAX_BODY_BYTES + " bytes of a body, found more");
  }

  private void onContent(HttpContent content) throws ProblemException {
    if (content.decoderResult().isFailure()) {
      throw new ProblemException(
          ProblemType.MALFORMED_HTTP, "expected a body in chunks of RFC 9112 section 7.1");
    }
    ByteBuf part = content.content();
    if (part.readableBytes() > body.maxWritableBytes()) {
      throw tooLarge();
    }
    body.writeBytes(part);
    if (content instanceof LastHttpContent) {
      if (!RequestJson.isNothing(body)) {
        throw new ProblemException(
            ProblemType.BAD_BODY, "expected no body, or {}, found another one");
      }
      dispatch();
    }
  }

  private void dispatch() {
    OperatorRequest complete = operatorRequest;
    operatorRequest = null;
    noDeadline();
    if (complete == null) {
      return;
    }
    try {
      threads.execute(() -> answer(complete));
    } catch (RejectedExecutionException e) {
      reject(Problem.of(ProblemType.OVERLOAD, "expected fewer requests at once, found too many"));
    }
  }

  /** Runs on one of the threads. */
  private void answer(OperatorRequest complete) {
    OperatorResponse operatorResponse = operatorService.answer(complete);
    try {
      context.executor().execute(() -> send(operatorResponse));
    } catch (RejectedExecutionException e) {
      // The listener has closed meanwhile, and the connection with it.
    }
  }

  private void send(OperatorResponse operatorResponse) {
    if (closing || !context.channel().isActive()) {
      return;
    }
    if (!keepAlive) {
      writeLast(operatorResponse);
      return;
    }
    within(WRITE_MILLIS, context::close);
    context.writeAndFlush(bytes(operatorResponse)).addListener(this::written);
  }

  private void written(Future<?> written) {
    if (!written.isSuccess()) {
      context.close();
    } else if (!closing && context.channel().isActive()) {
      within(IDLE_MILLIS, context::close);
      waitsSinceNanos = CLOCK.nanoTime();
      connections.idle(this);
      decoder.release(context);
    }
  }

  /** Answers a request that is not read to its end, and closes. */
  private void reject(Problem problem) {
    if (!closing) {
      ProblemType type = problem.type();
      writeLast(
          operatorService.refusal(type.status(), type.code(), type.title(), problem.detail()));
    }
  }

  /** The client may still send: it must receive the answer and no reset (RFC 9112 section 9.6). */
  private void writeLast(OperatorResponse operatorResponse) {
    closing = true;
    keepAlive = false;
    connections.busy(this);
    decoder.discardAll();
    within(WRITE_MILLIS, context::close);
    ChannelFuture last = context.writeAndFlush(bytes(operatorResponse));
    last.addListener(
        written -> {
          if (written.isSuccess() && last.channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
            duplex.config().setAutoRead(true);
            within(CLOSING_MILLIS, context::close);
          } else {
            context.close();
          }
        });
  }

  private ByteBuf bytes(OperatorResponse operatorResponse) {
    Response response =
        Response.of(
            operatorResponse.status(),
            operatorResponse.mediaType(),
            operatorResponse.body().getBytes(StandardCharsets.UTF_8));
    operatorResponse.fields().forEach(response::field);
    writer.at(CLOCK.epochMillis());
    return writer.write(context.alloc(), response, withoutBody, !keepAlive, http10);
  }

  /** Does something after a time unless the next phase begins first. */
  private void within(long millis, Runnable otherwise) {
    noDeadline();
    deadline = context.executor().schedule(otherwise, millis, TimeUnit.MILLISECONDS);
  }

  private void noDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closing = true;
    noDeadline();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
