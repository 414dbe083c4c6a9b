package dev.pinion.core.language.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import java.net.URI;
import java.net.URISyntaxException;

/** Reads where agents are from their cards (Agent2Agent protocol, "AgentCard"). */
final class AgentCards {
  private static final String JSON_RPC = "JSONRPC";

  /** The URI at which an agent speaks JSON-RPC; empty when there is none, which is reported. */
  String url(ExternalDocument card) {
    JsonNode json = card.root().json();
    String url = json.path("url").asText();
    if (!json.path("preferredTransport").asText(JSON_RPC).equals(JSON_RPC)) {
      url = "";
      for (JsonNode other : json.path("additionalInterfaces")) {
        if (url.isEmpty() && other.path("transport").asText().equals(JSON_RPC)) {
          url = other.path("url").asText();
        }
      }
    }
    if (isCallable(url)) {
      return url;
    }
    DocumentValue root = card.root();
    card.diagnostics()
        .value(
            root,
            "expected an agent card with the URL of an interface for "
                + JSON_RPC
                + ", found "
                + (url.isEmpty() ? "none" : '"' + ValueDescription.shorten(url) + '"'));
    return "";
  }

  private static boolean isCallable(String url) {
    try {
      String scheme = new URI(url).getScheme();
      return "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
