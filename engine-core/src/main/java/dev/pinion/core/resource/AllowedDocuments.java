package dev.pinion.core.resource;

import dev.pinion.core.invoker.http.InvalidCallException;
import dev.pinion.core.invoker.http.TargetUri;
import dev.pinion.core.language.reference.UnavailableDocumentException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Folders and URLs below which documents may be fetched: the one place where the address of a
 * document is judged. Whether an HTTP connection may be made to where its host is found is judged
 * by the client of calls, for each connection. Immutable; any thread.
 */
public final class AllowedDocuments {
  /** No folders and URLs. */
  public static final AllowedDocuments NONE = new AllowedDocuments(List.of(), List.of(), "");

  private static final String FILE = "file:";

  private final List<Path> folders;
  private final List<TargetUri> urls;
  private final String text;

  private AllowedDocuments(List<Path> folders, List<TargetUri> urls, String text) {
    this.folders = List.copyOf(folders);
    this.urls = List.copyOf(urls);
    this.text = text;
  }

  /**
   * Folders and URLs.
   *
   * @param text absolute paths of folders, and URLs of scheme http or https, separated by commas;
   *     empty for none
   * @throws IllegalArgumentException when it is something else; the message says what is expected
   */
  public static AllowedDocuments parse(String text) {
    if (text.isBlank()) {
      return NONE;
    }
    List<Path> folders = new ArrayList<>();
    List<TargetUri> urls = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String place = each.strip();
      if (place.regionMatches(true, 0, "http", 0, 4)) {
        urls.add(url(place));
      } else {
        folders.add(folder(place));
      }
    }
    return new AllowedDocuments(folders, urls, text);
  }

  private static TargetUri url(String text) {
    try {
      TargetUri url = TargetUri.parse(text);
      if (url.path().indexOf('?') < 0 && !climbs(url.path())) {
        return url;
      }
    } catch (InvalidCallException e) {
      throw new IllegalArgumentException(e.problem() + " (\"" + text + "\")", e);
    }
    throw new IllegalArgumentException(
        "expected a URL without a query and dot segments, found \"" + text + '"');
  }

  private static Path folder(String text) {
    try {
      Path folder = Path.of(text);
      if (folder.isAbsolute()) {
        return folder.normalize();
      }
    } catch (InvalidPathException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "expected absolute paths of folders, and URLs such as https://example.com/functions, with"
            + " commas, found \""
            + text
            + '"');
  }

  /**
   * The file of a document.
   *
   * @param uri of scheme file
   * @throws UnavailableDocumentException when it is none of an allowed folder
   */
  Path file(String uri) throws UnavailableDocumentException {
    Path file = path(uri);
    List<Path> around = folders.stream().filter(file::startsWith).toList();
    if (around.isEmpty()) {
      throw forbidden(uri);
    }
    try {
      Path real = file.toRealPath();
      for (Path folder : around) {
        if (real.startsWith(folder.toRealPath())) {
          return real;
        }
      }
    } catch (IOException e) {
      throw new UnavailableDocumentException("expected the document " + uri + ", found no file");
    }
    throw forbidden(uri); // a link leads out of the folder
  }

  private static Path path(String uri) throws UnavailableDocumentException {
    try {
      URI parsed = new URI(uri);
      String host = parsed.getHost();
      boolean here = host == null || host.isEmpty() || host.equalsIgnoreCase("localhost");
      String path = parsed.getPath();
      if (here && path != null && path.startsWith("/") && parsed.getRawQuery() == null) {
        return Path.of(path).normalize();
      }
    } catch (URISyntaxException | InvalidPathException e) {
      // reported below
    }
    throw new UnavailableDocumentException(
        "expected a file on this machine such as file:///folder/document.yaml, found " + uri);
  }

  /**
   * Checks the URL of a document.
   *
   * @param uri of scheme http or https
   * @throws UnavailableDocumentException when it is not below an allowed one
   */
  TargetUri url(URI uri) throws UnavailableDocumentException {
    String written = uri.toString();
    try {
      TargetUri target = TargetUri.parse(written);
      if (urls.stream().anyMatch(allowed -> isBelow(target, allowed))) {
        return target;
      }
    } catch (InvalidCallException e) {
      throw new UnavailableDocumentException(e.problem() + " (" + written + ")");
    }
    throw forbidden(written);
  }

  private static boolean isBelow(TargetUri target, TargetUri allowed) {
    String prefix = allowed.path();
    String path = target.path();
    if (!target.origin().equals(allowed.origin()) || !path.startsWith(prefix) || climbs(path)) {
      return false;
    }
    return prefix.endsWith("/")
        || path.length() == prefix.length()
        || "/?".indexOf(path.charAt(prefix.length())) >= 0;
  }

  /** Whether a path has a segment that a server may take for the one above, however written. */
  private static boolean climbs(String path) {
    int query = path.indexOf('?');
    String decoded = query < 0 ? path : path.substring(0, query);
    for (String before = ""; !before.equals(decoded); ) {
      before = decoded;
      try {
        decoded = URLDecoder.decode(before.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        return true;
      }
    }
    for (String segment : decoded.split("[/\\\\;]", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private UnavailableDocumentException forbidden(String uri) {
    return new UnavailableDocumentException(
        "expected a document below one of the folders and URLs of --documents ("
            + (text.isEmpty() ? "none" : text)
            + "), found "
            + uri);
  }

  /** Whether a URI is one of a file. */
  static boolean isFile(String uri) {
    return uri.toLowerCase(Locale.ROOT).startsWith(FILE);
  }

  @Override
  public String toString() {
    return text;
  }
}
