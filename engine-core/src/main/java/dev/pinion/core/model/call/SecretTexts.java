package dev.pinion.core.model.call;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The texts of the secrets in a request, in the forms in which a service or a library may repeat
 * them: as they are, in base 64, percent-encoded and with the escapes of JSON or HTML. Immutable.
 */
public final class SecretTexts {
  /** No texts. */
  public static final SecretTexts NONE = new SecretTexts(Set.of());

  /** Texts as short as these stand in many messages by chance. */
  private static final int SHORTEST = 4;

  /** Length of a part that stands in a message by chance no longer. */
  private static final int PART = 12;

  /** Length of the shortest part that is looked for: half a text. */
  private static final int SHORTEST_PART = 8;

  private final Set<String> forms;

  private SecretTexts(Set<String> forms) {
    this.forms = forms;
  }

  /** All forms of some texts. */
  public static SecretTexts of(Collection<String> texts) {
    Set<String> forms = new LinkedHashSet<>();
    for (String text : texts) {
      if (text.length() >= SHORTEST) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        String base64 = Base64.getEncoder().encodeToString(bytes);
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        forms.add(text);
        forms.add(base64.replace("=", ""));
        forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        forms.add(encoded);
        forms.add(encoded.replace("+", "%20"));
      }
    }
    return forms.isEmpty() ? NONE : new SecretTexts(forms);
  }

  /** Whether a text contains one of them. */
  public boolean appearIn(String text) {
    if (forms.isEmpty()) {
      return false;
    }
    String plain = EscapedText.plain(text);
    boolean isEscaped = !plain.equals(text);
    for (String form : forms) {
      if (text.contains(form) || (isEscaped && plain.contains(form))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a text contains one of them, or a part: it was cut, or repeats a line of a text. */
  public boolean appearPartlyIn(String text) {
    for (String form : forms) {
      if (text.contains(form) || hasPart(text, form)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasPart(String text, String form) {
    int length = Math.min(PART, form.length() / 2);
    if (length < SHORTEST_PART) {
      return false;
    }
    for (int from = 0; from + length <= form.length(); from += length / 2) {
      if (text.contains(form.substring(from, from + length))) {
        return true;
      }
    }
    return false;
  }

  /** No value. */
  @Override
  public String toString() {
    return "secrets";
  }
}
