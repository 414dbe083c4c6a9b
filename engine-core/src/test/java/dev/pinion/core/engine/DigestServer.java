package dev.pinion.core.engine;

import dev.pinion.core.engine.ProtectedServer.Answer;
import dev.pinion.core.engine.ProtectedServer.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A service that checks digest authentication (RFC 7616) by itself: {@code ann} with {@code
 * s3cret}. Each number of a nonce may be used once.
 */
final class DigestServer implements ProtectedServer.Service {
  private static final Pattern FIELD = Pattern.compile("([a-z*]+)=(?:\"([^\"]*)\"|([^,\\s]+))");

  private final String algorithm;
  private final String qop;
  private final int usesOfNonce;
  private final Set<String> used = new TreeSet<>();
  private int nonces = 1;
  private int uses;

  /**
   * A service.
   *
   * @param usesOfNonce requests after which a nonce is stale
   */
  DigestServer(String algorithm, String qop, int usesOfNonce) {
    this.algorithm = algorithm;
    this.qop = qop;
    this.usesOfNonce = usesOfNonce;
  }

  @Override
  public synchronized Answer answer(Request request) {
    String authorization = request.field("Authorization");
    if (!authorization.startsWith("Digest ")) {
      return challenge(false);
    }
    Map<String, String> fields = new TreeMap<>();
    Matcher matcher = FIELD.matcher(authorization);
    while (matcher.find()) {
      fields.put(matcher.group(1), matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
    }
    if (!isRight(request, fields)) {
      return challenge(false);
    }
    if (!("n" + nonces).equals(fields.get("nonce"))) {
      return challenge(true);
    }
    if (!qop.isEmpty() && !used.add(fields.get("nonce") + " " + fields.get("nc"))) {
      return challenge(false);
    }
    if (++uses >= usesOfNonce) {
      nonces++;
      uses = 0;
    }
    return Answer.ok("{\"ok\":true}");
  }

  private Answer challenge(boolean stale) {
    String field =
        "Digest realm=\"shop\", nonce=\"n%d\", algorithm=%s%s%s"
            .formatted(
                nonces,
                algorithm,
                qop.isEmpty() ? "" : ", qop=\"" + qop + "\"",
                stale ? ", stale=true" : "");
    return new Answer(401, "{}", Map.of("WWW-Authenticate", field));
  }

  private boolean isRight(Request request, Map<String, String> fields) {
    String target = request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    if (!"ann".equals(fields.get("username")) || !target.equals(fields.get("uri"))) {
      return false;
    }
    String secret = hash("ann:shop:s3cret");
    if (algorithm.endsWith("-sess")) {
      secret = hash(secret + ":" + fields.get("nonce") + ":" + fields.get("cnonce"));
    }
    String what = request.method() + ":" + fields.get("uri");
    if ("auth-int".equals(fields.get("qop"))) {
      what += ":" + hash(request.body());
    }
    String middle =
        qop.isEmpty()
            ? fields.get("nonce")
            : fields.get("nonce")
                + ":"
                + fields.get("nc")
                + ":"
                + fields.get("cnonce")
                + ":"
                + fields.get("qop");
    return hash(secret + ":" + middle + ":" + hash(what)).equals(fields.get("response"));
  }

  private String hash(String text) {
    try {
      String name = algorithm.replace("-sess", "");
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance(name).digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
