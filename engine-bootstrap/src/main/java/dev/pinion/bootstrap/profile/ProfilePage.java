package dev.pinion.bootstrap.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A profile, or the difference of two, as one HTML page that needs nothing else. */
public final class ProfilePage {
  private static final String TEMPLATE = "profile.html";
  private static final String DATA = "/*DATA*/null";

  private ProfilePage() {}

  /**
   * Makes a page.
   *
   * @param profiles one, or the one before and the one after
   * @param level parts of names of packages that are kept at first
   * @param depth positions of charts, 1 to {@value Projection#MAX_DEPTH}
   */
  public static String of(List<Profile> profiles, int level, int depth) throws IOException {
    // names come from classes and definitions: none of them may end the script that they are in
    String data = new PageData(profiles, level, depth).json().toString().replace("<", "\\u003c");
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
