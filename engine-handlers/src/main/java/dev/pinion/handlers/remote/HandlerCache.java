package dev.pinion.handlers.remote;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of a host, made at their first use; beyond a bound, the one idle for longest is
 * closed. Guarded by itself.
 */
final class HandlerCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerCache.class);

  private final Map<String, HandlerFactory> kinds;
  private final int most;
  private final Map<HandlerKey, CachedHandler> hosted = new LinkedHashMap<>(16, 0.75f, true);

  HandlerCache(Map<String, HandlerFactory> kinds, RemoteLimits limits) {
    this.kinds = kinds;
    this.most = limits.hostHandlers();
  }

  /**
   * A handler, to be released after use.
   *
   * @throws RemoteHandlerException when there is no such handler, or its settings are wrong
   */
  synchronized CachedHandler use(String kind, Payload settings) throws RemoteHandlerException {
    HandlerKey handlerKey = new HandlerKey(kind, settings);
    CachedHandler found = hosted.get(handlerKey);
    if (found == null) {
      found = new CachedHandler(make(kind, settings));
      hosted.put(handlerKey, found);
    }
    found.users++;
    closeIdle();
    return found;
  }

  private Handler make(String kind, Payload given) throws RemoteHandlerException {
    HandlerFactory factory = kinds.get(kind);
    if (factory == null) {
      throw new RemoteHandlerException(
          "expected one of the handlers of this host, " + kinds.keySet() + ", found " + kind);
    }
    Settings settings = new Settings(given, "");
    Handler handler;
    try {
      handler = factory.create(settings);
    } catch (RuntimeException | LinkageError e) {
      throw new RemoteHandlerException("expected settings that " + kind + " accepts, found: " + e);
    }
    settings.refuseUnknown();
    if (!settings.problems().isEmpty()) {
      close(handler);
      throw new RemoteHandlerException(
          settings.problems().stream()
              .map(SettingProblem::toString)
              .collect(Collectors.joining("; ")));
    }
    return handler;
  }

  private void closeIdle() {
    Iterator<CachedHandler> each = hosted.values().iterator();
    while (hosted.size() > most && each.hasNext()) {
      CachedHandler oldest = each.next();
      if (oldest.users == 0) {
        each.remove();
        close(oldest.handler);
      }
    }
  }

  synchronized void release(CachedHandler used) {
    used.users--;
  }

  @Override
  public synchronized void close() {
    hosted.values().forEach(each -> close(each.handler));
    hosted.clear();
  }

  private static void close(Handler handler) {
    try {
      handler.close();
    } catch (RuntimeException e) { // the others are closed nevertheless
      LOG.warn("a handler could not be closed", e);
    }
  }

  private record HandlerKey(String kind, Payload settings) {}

  /** A handler with the number of its users. */
  static final class CachedHandler {
    private final Handler handler;
    private int users;

    CachedHandler(Handler handler) {
      this.handler = handler;
    }

    Handler handler() {
      return handler;
    }
  }
}
