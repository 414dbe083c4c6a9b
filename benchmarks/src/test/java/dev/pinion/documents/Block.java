package dev.pinion.documents;

/**
 * A fenced block of a page.
 *
 * @param language the first word behind the fence, such as {@code sh}
 * @param role the rest of that line, such as {@code input}
 * @param line where it begins, from 1
 */
record Block(String language, String role, String text, int line) {
  boolean is(String wantedLanguage, String wantedRole) {
    return language.equals(wantedLanguage) && role.equals(wantedRole);
  }
}
