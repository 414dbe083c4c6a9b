package dev.pinion.core.authentication;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nonces of services that the calls of a replica use, so that only the first call is
 * challenged. For any thread.
 */
public final class DigestSessions {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final Map<String, DigestSession> sessions;

  /**
   * No nonces.
   *
   * @param most most nonces; beyond it the one unused for longest is dropped
   */
  public DigestSessions(int most) {
    this.sessions =
        new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, DigestSession> eldest) {
            return size() > most;
          }
        };
  }

  /** The session with a service, or null. */
  public synchronized @Nullable DigestSession find(String key) {
    return sessions.get(key);
  }

  /** Uses another nonce from now on. */
  public synchronized void put(String key, DigestSession session) {
    sessions.put(key, session);
  }
}
