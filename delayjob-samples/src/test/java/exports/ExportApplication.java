package exports;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application that docs/rpc.md shows: its jobs call another service, which answers later. */
@SpringBootApplication
class ExportApplication {}
