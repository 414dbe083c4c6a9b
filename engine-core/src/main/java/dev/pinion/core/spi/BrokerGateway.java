package dev.pinion.core.spi;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Front-end of the broker: registers services, decides about contracts and reports plans. Never
 * called on the path of a request to a process.
 */
@FunctionalInterface
public interface BrokerGateway {
  /** No broker. */
  BrokerGateway NONE =
      brokerRequest ->
          CompletableFuture.completedFuture(
              BrokerResponse.problem(
                  BrokerStatus.UNAVAILABLE,
                  "no broker runs here; start the engine with --broker on"));

  /**
   * Sends a question to the broker. Any thread; does not block.
   *
   * @return completes with the reply, also when there is no answer; never exceptionally
   */
  CompletableFuture<BrokerResponse> send(BrokerRequest brokerRequest);

  /** Operation on a resource. */
  enum Verb {
    /** Shows it. */
    GET,
    /** Creates or changes it. */
    PUT,
    /** Deletes it. */
    DELETE,
    /** Excludes a service from new bindings. */
    WITHDRAW
  }

  /**
   * A question.
   *
   * @param verb operation
   * @param collection name of a collection or of a single resource, such as {@code slas}
   * @param id id within the collection; empty for all of it
   * @param ifMatch entity tags of which the resource must have one, as in HTTP; null for any
   * @param ifNoneMatch entity tags of which it must have none; null for any
   * @param body JSON; empty when there is none
   */
  record BrokerRequest(
      Verb verb,
      String collection,
      String id,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch,
      String body) {}

  /** Outcome of a question. */
  enum BrokerStatus {
    /** Done, or shown. */
    OK,
    /** Created. */
    CREATED,
    /** Deleted. */
    GONE,
    /** Unchanged: it is as the client knows it. */
    UNCHANGED,
    /** Not found. */
    NOT_FOUND,
    /** A precondition of the client does not hold. */
    PRECONDITION_FAILED,
    /** The document is invalid. */
    INVALID,
    /** Conflicts with the contracts of others, or others need it. */
    NOT_ADMITTED,
    /** A limit is reached. */
    FULL,
    /** The disk has no room for it. */
    DISK_FULL,
    /** The broker cannot answer or act now. */
    UNAVAILABLE
  }

  /**
   * A reply.
   *
   * @param etag entity tag of the resource, with quotes; empty for none
   * @param detail description of a problem, for people; empty for none
   * @param body JSON: the resource, or further members of a problem; empty for nothing
   */
  record BrokerResponse(BrokerStatus outcome, String etag, String detail, String body) {
    /** A problem. */
    public static BrokerResponse problem(BrokerStatus brokerStatus, String detail) {
      return new BrokerResponse(brokerStatus, "", detail, "");
    }
  }
}
