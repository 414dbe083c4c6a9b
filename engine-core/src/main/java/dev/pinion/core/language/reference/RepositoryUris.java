package dev.pinion.core.language.reference;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * URIs of files in repositories on GitHub and GitLab (DSL, "Catalogs"): those of pages that show a
 * file become those of its raw content.
 */
final class RepositoryUris {
  private static final Pattern GITHUB =
      Pattern.compile(
          "https?://github\\.com/(?<project>[^/]+/[^/]+?)(?:\\.git)?"
              + "(?:/(?:tree|blob|raw)/(?<ref>[^/]+))?(?<path>/(?!releases/).*)");
  private static final Pattern GITLAB =
      Pattern.compile("(?<project>https?://[^/]+/.+)/-/(?:tree|blob)/(?<path>.+)");

  /** A commit, or a version, which is mostly a tag: the server of raw content knows its kind. */
  private static final Pattern COMMIT_OR_VERSION =
      Pattern.compile("[0-9a-f]{40}|[vV]?[0-9]+\\.[^/]+");

  private RepositoryUris() {}

  /** The URI of the raw content. */
  static String raw(String uri) {
    Matcher github = GITHUB.matcher(uri);
    if (github.matches()) {
      String ref = github.group("ref");
      return "https://raw.githubusercontent.com/"
          + github.group("project")
          + (ref == null
              ? "/HEAD"
              : COMMIT_OR_VERSION.matcher(ref).matches() ? "/" + ref : "/refs/heads/" + ref)
          + github.group("path");
    }
    Matcher gitlab = GITLAB.matcher(uri);
    return gitlab.matches() ? gitlab.group("project") + "/-/raw/" + gitlab.group("path") : uri;
  }
}
