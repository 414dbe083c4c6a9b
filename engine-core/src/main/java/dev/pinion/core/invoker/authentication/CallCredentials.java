package dev.pinion.core.invoker.authentication;

import dev.pinion.core.authentication.DigestSessions;
import dev.pinion.core.authentication.ParameterDigest;
import dev.pinion.core.authentication.TokenCache;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.content.RequestBodyFormat;
import dev.pinion.core.limits.AuthenticationLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.secret.SecretStore;
import dev.pinion.core.stage.AncillaryThreadFactory;
import dev.pinion.core.stage.ThreadSetup;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the Invokers of a replica share to authenticate calls: secrets, tokens, nonces, and the
 * thread that reads and signs. For any thread.
 */
public final class CallCredentials implements AutoCloseable {
  private static final int IDLE_SECONDS = 60;
  private static final int OVERLOADED = 503;

  private final EngineLimits limits;
  private final Clock clock;
  private final PayloadCodec codec;
  private final RequestBodyFormat formats;
  private final ExecutorService thread;
  private final SecretStore secrets;
  private final TokenCache tokens;
  private final DigestSessions sessions;
  private final ParameterDigest names = new ParameterDigest();
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Credentials of calls.
   *
   * @param source where secrets are read
   * @param codec codec of JSON
   * @param setup prepares the thread, which is created on demand and ends when idle
   */
  public CallCredentials(
      SecretSource source,
      EngineLimits limits,
      Clock clock,
      PayloadCodec codec,
      ThreadSetup setup) {
    AuthenticationLimits bounds = limits.authentication();
    this.limits = limits;
    this.clock = clock;
    this.codec = codec;
    this.formats = new RequestBodyFormat(codec, limits.invoker());
    ThreadPoolExecutor one =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(2 * bounds.maxWaiting()),
            new AncillaryThreadFactory("secrets", setup));
    one.allowCoreThreadTimeOut(true);
    this.thread = one;
    this.secrets = new SecretStore(source, thread, clock::nanoTime, bounds);
    this.tokens = new TokenCache(bounds.maxTokens());
    this.sessions = new DigestSessions(bounds.maxTokens());
  }

  EngineLimits limits() {
    return limits;
  }

  Clock clock() {
    return clock;
  }

  PayloadCodec codec() {
    return codec;
  }

  /** The form in which bodies are sent. */
  RequestBodyFormat formats() {
    return formats;
  }

  /** Runs what may wait or takes long. */
  Executor background() {
    return thread;
  }

  SecretStore secrets() {
    return secrets;
  }

  TokenCache tokens() {
    return tokens;
  }

  DigestSessions sessions() {
    return sessions;
  }

  ParameterDigest names() {
    return names;
  }

  /** Counts a call that begins to wait; returns whether there was room. */
  boolean beginWait() {
    if (waiting.incrementAndGet() <= limits.authentication().maxWaiting()) {
      return true;
    }
    waiting.decrementAndGet();
    return false;
  }

  /** Ends the wait of a call. */
  void endWait() {
    waiting.decrementAndGet();
  }

  /** The error of a call that finds no room to wait. */
  WorkflowError overloaded() {
    WorkflowError error =
        WorkflowError.of(
            ErrorType.COMMUNICATION,
            "expected at most "
                + limits.authentication().maxWaiting()
                + " calls that wait for secrets or tokens (authentication.maxWaiting), found"
                + " more");
    return new WorkflowError(error.type(), OVERLOADED, error.title(), error.detail(), null);
  }

  /** Runs a task on an event loop; drops it when the loop has ended, with all its calls. */
  static void later(Executor loop, Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // the engine has stopped
    }
  }

  /** Ends the thread. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
