package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.CallLog.Response;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Services of errands, and the server of their tokens. Some want a token and refuse one of five as
 * soon as it is used; some refuse certain numbers.
 */
final class ErrandServices implements AutoCloseable {
  static final String RESERVE = "/reserve";
  static final String RELEASE = "/release";
  static final String PACK = "/pack";
  static final String PACKED = "/packed";
  static final String UNPACK = "/unpack";
  static final String NOTIFY = "/notify";
  static final String SHIP = "/ship";
  static final String BEFORE = "/before";
  static final String FLAKY = "/flaky";
  static final String TICK = "/tick";
  static final String TOCK = "/tock";
  static final String TOKEN = "/token";

  /** Services that want a token. */
  static final Set<String> GUARDED = Set.of(RESERVE, RELEASE, SHIP);

  /** Time in which a token may be used; the engine renews it after half of that. */
  static final int TOKEN_SECONDS = 4;

  private static final long CALL_MILLIS = 20;
  private static final String BEARER = "Bearer t";
  private static final int TOKENS_OF_WHICH_ONE_IS_REVOKED = 5;

  private final AtomicInteger tokens = new AtomicInteger();
  private final Set<Integer> repaired = ConcurrentHashMap.newKeySet();

  /** Keys of calls that were refused for their token. */
  private final Set<String> unauthorized = ConcurrentHashMap.newKeySet();

  private final Queue<Call> wrong = new ConcurrentLinkedQueue<>();
  private final CallLog log;

  ErrandServices() throws IOException {
    log = new CallLog(CALL_MILLIS, this::answer);
  }

  private Response answer(Call call) {
    if (call.path().equals(TOKEN)) {
      String token =
          "{\"access_token\":\"t%s\",\"token_type\":\"Bearer\",\"expires_in\":%s}"
              .formatted(tokens.incrementAndGet(), TOKEN_SECONDS);
      return new Response(200, token);
    }
    if (GUARDED.contains(call.path()) && !isAuthorized(call)) {
      return new Response(401, "{}");
    }
    return new Response(isRefused(call) ? 409 : 200, "{\"number\":" + call.answer() + "}");
  }

  /** Whether a call has a token that is not revoked; no call is refused twice for that. */
  private boolean isAuthorized(Call call) {
    int token = token(call);
    if (token < 1 || token > tokens.get()) {
      wrong.add(call);
      return false;
    }
    boolean revoked = token % TOKENS_OF_WHICH_ONE_IS_REVOKED == 0;
    return !revoked || !unauthorized.add(call.key());
  }

  /** The number of a token; 0 for none. */
  private static int token(Call call) {
    String credentials = call.authorization();
    return credentials.startsWith(BEARER)
        ? Integer.parseInt(credentials.substring(BEARER.length()))
        : 0;
  }

  private boolean isRefused(Call call) {
    return switch (call.path()) {
      case SHIP -> Errands.Fate.of(number(call)) == Errands.Fate.REFUSED;
      case FLAKY -> !repaired.contains(number(call));
      default -> false;
    };
  }

  /** The number in the body of a call. */
  static int number(Call call) {
    return Integer.parseInt(call.body().replaceAll("\\D", ""));
  }

  /** Lets calls about a number succeed from now on. */
  void repair(int n) {
    repaired.add(n);
  }

  String url() {
    return log.url();
  }

  /** Calls that were performed or refused, but not for want of a token, in order of arrival. */
  List<Call> calls() {
    return log.calls().stream()
        .filter(call -> !call.path().equals(TOKEN) && log.refusal(call) != 401)
        .toList();
  }

  /** Number of tokens that were issued. */
  int tokens() {
    return tokens.get();
  }

  /** Number of calls that were refused for their token. */
  int unauthorized() {
    return unauthorized.size();
  }

  /** Calls without a token that was issued. */
  List<Call> wrong() {
    return List.copyOf(wrong);
  }

  @Override
  public void close() {
    log.close();
  }
}
