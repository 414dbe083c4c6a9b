package dev.pinion.core.authentication;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of an authentication that are secret, whoever wrote them. */
public final class SensitiveParameters {
  private SensitiveParameters() {}

  /** The secret texts among some parameters, which are an object or a token alone. */
  public static List<String> of(Payload parameters) {
    List<String> texts = new ArrayList<>();
    add(parameters.isObject() ? null : parameters, texts);
    add(parameters.member("password"), texts);
    add(parameters.member("token"), texts);
    Payload client = parameters.member("client");
    if (client != null) {
      add(client.member("secret"), texts);
      add(client.member("assertion"), texts);
    }
    for (String name : List.of("subject", "actor")) {
      Payload token = parameters.member(name);
      add(token == null ? null : token.member("token"), texts);
    }
    return texts;
  }

  private static void add(@Nullable Payload value, List<String> texts) {
    if (value != null) {
      texts.addAll(value.texts());
    }
  }
}
