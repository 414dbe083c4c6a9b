package dev.pinion.core.engine;

import java.util.Locale;

/** Replaces the public pet store that the conformance features call. */
final class PetStore implements TestService {
  /** The address of the pet store in the features. */
  static final String LIVE = "https://petstore.swagger.io";

  private static final String FIND = "/v2/pet/findByStatus";
  private static final String PET = "/v2/pet/";

  @Override
  public Answer answer(Request request) {
    if (request.path().equals(FIND)) {
      String status = request.uri().getQuery().replaceFirst("status=", "");
      return Answer.ok("[" + pet(1, status) + "," + pet(2, status) + "]");
    }
    String id = request.path().startsWith(PET) ? request.path().substring(PET.length()) : "";
    if (!id.isEmpty() && id.chars().allMatch(Character::isDigit)) {
      return Answer.ok(pet(Integer.parseInt(id), "available"));
    }
    return new Answer(404, "{\"message\":\"no such pet\"}");
  }

  private static String pet(int id, String status) {
    return String.format(
        Locale.ROOT, "{\"id\":%d,\"name\":\"pet-%d\",\"status\":\"%s\"}", id, id, status);
  }
}
