package dev.pinion.bootstrap.serve;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds secrets in what an engine leaves behind, in every form in which they may stand there. */
final class CanarySearch {
  private final Set<String> needles = new LinkedHashSet<>();

  /**
   * A search.
   *
   * @param marker text that is no secret, to prove that the search finds what is stored
   */
  CanarySearch(String marker, List<String> secrets) {
    needles.add(marker);
    secrets.forEach(this::add);
  }

  private void add(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    needles.add(secret);
    needles.add(Base64.getEncoder().encodeToString(bytes).replace("=", ""));
    needles.add(form(secret));
    needles.add(form(secret).replace("+", "%20"));
    needles.add(secret.replace("+", "%2B").replace("/", "%2F"));
    needles.add(secret.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /** A text as it stands in a form. */
  static String form(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /**
   * The places in which each text stands that was found.
   *
   * @param data the data folder
   * @param log the log
   * @param told what clients were told
   */
  Map<String, List<String>> find(Path data, Path log, List<String> told) throws IOException {
    Map<String, byte[]> places = new TreeMap<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        places.put(file.toString(), Files.readAllBytes(file));
      }
    }
    places.put("log", Files.readAllBytes(log));
    places.put("told", String.join("\n", told).getBytes(StandardCharsets.UTF_8));
    Map<String, List<String>> found = new TreeMap<>();
    for (Map.Entry<String, byte[]> place : places.entrySet()) {
      String text = new String(place.getValue(), StandardCharsets.ISO_8859_1);
      for (String needle : needles) {
        String bytes =
            new String(needle.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        if (text.contains(bytes)) {
          found.computeIfAbsent(needle, each -> new ArrayList<>()).add(place.getKey());
        }
      }
    }
    return found;
  }
}
