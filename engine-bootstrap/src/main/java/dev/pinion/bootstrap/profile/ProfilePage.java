package dev.pinion.bootstrap.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A profile, or the difference of two, as one self-contained HTML page. */
public final class ProfilePage {
  private static final String TEMPLATE = "profile.html";
  private static final String DATA = "/*DATA*/null";

  private ProfilePage() {}

  /**
   * Builds a page.
   *
   * @param profiles one, or the earlier and the later one
   * @param level initial number of parts of package names that are kept
   * @param depth positions of charts, 1 to {@value StackProjection#MAX_DEPTH}
   */
  public static String of(List<Profile> profiles, int level, int depth) throws IOException {
    // names come from classes and definitions: none may end the script that contains them
    String data =
        new ProfilePageContent(profiles, level, depth).json().toString().replace("<", "\\u003c");
    return template().replace(DATA, data);
  }

  private static String template() throws IOException {
    try (InputStream in = ProfilePage.class.getResourceAsStream(TEMPLATE)) {
      if (in == null) {
        throw new IOException("expected " + TEMPLATE + " on the class path, found none");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
