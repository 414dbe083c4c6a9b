package dev.pinion.core.engine;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** Replaces the public pet store that the conformance features call. */
final class PetStore implements TestService {
  /** The address of the pet store in the features. */
  static final String LIVE = "https://petstore.swagger.io";

  /** The address of a service that asks for basic authentication. */
  static final String LIVE_BASIC = "https://httpbin.org";

  private static final String BASIC = "/basic-auth/";
  private static final String FIND = "/v2/pet/findByStatus";
  private static final String PET = "/v2/pet/";

  @Override
  public Answer answer(Request request) {
    if (request.path().equals(FIND)) {
      String status = request.uri().getQuery().replaceFirst("status=", "");
      return Answer.ok("[" + pet(1, status) + "," + pet(2, status) + "]");
    }
    if (request.path().startsWith(BASIC)) {
      return basic(request);
    }
    String id = request.path().startsWith(PET) ? request.path().substring(PET.length()) : "";
    if (!id.isEmpty() && id.chars().allMatch(Character::isDigit)) {
      return Answer.ok(pet(Integer.parseInt(id), "available"));
    }
    return new Answer(404, "{\"message\":\"no such pet\"}");
  }

  /** Accepts the user and the password that the path names. */
  private static Answer basic(Request request) {
    String pair = request.path().substring(BASIC.length()).replace('/', ':');
    String expected =
        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    return expected.equals(request.authorization())
        ? Answer.ok("{\"authenticated\":true}")
        : new Answer(401, "{}");
  }

  private static String pet(int id, String status) {
    return String.format(
        Locale.ROOT, "{\"id\":%d,\"name\":\"pet-%d\",\"status\":\"%s\"}", id, id, status);
  }
}
