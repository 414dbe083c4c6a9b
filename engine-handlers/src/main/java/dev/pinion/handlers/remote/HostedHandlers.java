package dev.pinion.handlers.remote;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.api.Settings;
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
final class HostedHandlers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostedHandlers.class);

  private final Map<String, HandlerFactory> kinds;
  private final int most;
  private final Map<Key, Hosted> hosted = new LinkedHashMap<>(16, 0.75f, true);

  HostedHandlers(Map<String, HandlerFactory> kinds, RemoteLimits limits) {
    this.kinds = kinds;
    this.most = limits.hostHandlers();
  }

  /**
   * A handler, to be released after use.
   *
   * @throws RemoteException when there is no such handler, or its settings are wrong
   */
  synchronized Hosted use(String kind, Payload settings) throws RemoteException {
    Key key = new Key(kind, settings);
    Hosted found = hosted.get(key);
    if (found == null) {
      found = new Hosted(make(kind, settings));
      hosted.put(key, found);
    }
    found.users++;
    closeIdle();
    return found;
  }

  private Handler make(String kind, Payload given) throws RemoteException {
    HandlerFactory factory = kinds.get(kind);
    if (factory == null) {
      throw new RemoteException(
          "expected one of the handlers of this host, " + kinds.keySet() + ", found " + kind);
    }
    Settings settings = new Settings(given, "");
    Handler handler;
    try {
      handler = factory.create(settings);
    } catch (RuntimeException | LinkageError e) {
      throw new RemoteException("expected settings that " + kind + " accepts, found: " + e);
    }
    settings.refuseUnknown();
    if (!settings.problems().isEmpty()) {
      close(handler);
      throw new RemoteException(
          settings.problems().stream()
              .map(SettingProblem::toString)
              .collect(Collectors.joining("; ")));
    }
    return handler;
  }

  private void closeIdle() {
    Iterator<Hosted> each = hosted.values().iterator();
    while (hosted.size() > most && each.hasNext()) {
      Hosted oldest = each.next();
      if (oldest.users == 0) {
        each.remove();
        close(oldest.handler);
      }
    }
  }

  synchronized void release(Hosted used) {
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

  private record Key(String kind, Payload settings) {}

  /** A handler with the number of its users. */
  static final class Hosted {
    private final Handler handler;
    private int users;

    Hosted(Handler handler) {
      this.handler = handler;
    }

    Handler handler() {
      return handler;
    }
  }
}
