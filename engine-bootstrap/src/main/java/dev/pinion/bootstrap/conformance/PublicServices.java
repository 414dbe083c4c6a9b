package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stands in for the public services that the features of the specification call. */
final class PublicServices {
  private static final String FIND = "/v2/pet/findByStatus";
  private static final String DOCUMENT = "/v2/swagger.json";
  private static final Pattern PET = Pattern.compile("/v2/pet/(\\d{1,9})");
  private static final Pattern BASIC = Pattern.compile("/basic-auth/([^/]+)/([^/]+)");

  private final String document;

  /**
   * The services.
   *
   * @param document OpenAPI document of the pet store, as text
   */
  PublicServices(String document) {
    this.document = document;
  }

  /** The answer to a request. */
  ServiceAnswer answer(ReceivedRequest request) {
    String path = request.uri().getPath();
    Matcher pet = PET.matcher(path);
    Matcher basic = BASIC.matcher(path);
    if (path.equals(FIND)) {
      String status = request.json().path("query").path("status").asText();
      ArrayNode pets = JsonNodeFactory.instance.arrayNode();
      return ServiceAnswer.of(200, pets.add(pet(1, status)).add(pet(2, status)));
    } else if (path.equals(DOCUMENT)) {
      return ServiceAnswer.ofText(document);
    } else if (pet.matches()) {
      return ServiceAnswer.of(200, pet(Integer.parseInt(pet.group(1)), "available"));
    } else if (basic.matches()) {
      return basic(request, basic.group(1), basic.group(2));
    }
    return ServiceAnswer.of(404, message("nothing is at " + request.route()));
  }

  private static ObjectNode pet(int id, String status) {
    ObjectNode pet = JsonNodeFactory.instance.objectNode();
    return pet.put("id", id).put("name", "pet-" + id).put("status", status);
  }

  private static ServiceAnswer basic(ReceivedRequest request, String user, String password) {
    String wanted =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    String found = request.json().path("headers").path("authorization").asText();
    return found.equals(wanted)
        ? ServiceAnswer.of(
            200, JsonNodeFactory.instance.objectNode().put("authenticated", true).put("user", user))
        : ServiceAnswer.of(401, message("wrong credentials"));
  }

  private static ObjectNode message(String text) {
    ObjectNode message = JsonNodeFactory.instance.objectNode();
    return message.set("message", TextNode.valueOf(text));
  }
}
