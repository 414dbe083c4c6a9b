package dev.pinion.core.authentication;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of an authentication, from a definition or a secret. Messages name members
 * and no values.
 */
public final class PolicyParameters {
  private PolicyParameters() {}

  /** A failure of type authentication. */
  static ExpressionException failure(String detail) {
    return new ExpressionException(WorkflowError.of(ErrorType.AUTHENTICATION, detail));
  }

  /**
   * A mandatory text.
   *
   * @throws ExpressionException when it is missing
   */
  static String text(Payload parameters, String name) {
    String text = optionalText(parameters, name);
    if (text == null) {
      throw failure(
          "expected \"" + name + "\" in the parameters of the authentication, found none");
    }
    return text;
  }

  /**
   * A text or null.
   *
   * @throws ExpressionException when there is something else
   */
  static @Nullable String optionalText(Payload parameters, String name) {
    Payload member = parameters.member(name);
    if (member == null) {
      return null;
    }
    String text = member.scalar();
    if (text == null) {
      throw failure(
          "expected a string as \"" + name + "\" of the authentication, found something else");
    }
    return text;
  }

  /**
   * The texts of a list; none when there is no list. A text alone is a list of its words.
   *
   * @throws ExpressionException when there is something else
   */
  static List<String> texts(Payload parameters, String name) {
    Payload member = parameters.member(name);
    if (member == null) {
      return List.of();
    }
    String alone = member.scalar();
    if (alone != null) {
      return List.of(alone.strip().split(" +", -1));
    }
    List<String> texts = new ArrayList<>();
    for (Payload item : member.items()) {
      String text = item.scalar();
      if (text == null) {
        throw failure("expected strings in \"" + name + "\" of the authentication, found others");
      }
      texts.add(text);
    }
    return texts;
  }

  /**
   * The token of bearer authentication: a member of the parameters, or a secret that is a text.
   *
   * @throws ExpressionException when there is none that can be sent
   */
  public static String token(Payload parameters) {
    String alone = parameters.scalar();
    String token = alone == null ? text(parameters, "token") : alone;
    for (int i = 0; i < token.length(); i++) {
      if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
        throw failure("expected a token of visible ASCII characters, found others");
      }
    }
    if (token.isEmpty()) {
      throw failure("expected a token, found an empty text");
    }
    return token;
  }

  /**
   * Checks that a text has no control characters.
   *
   * @throws ExpressionException when it has some
   */
  static void requirePrintable(String name, String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw failure("expected a \"" + name + "\" without control characters, found some");
    }
  }
}
