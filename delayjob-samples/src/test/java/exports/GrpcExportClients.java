package exports;

import exports.v1.ExportsGrpc;
import exports.v1.ExportsGrpc.ExportsBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class GrpcExportClients {

    @Bean(destroyMethod = "shutdownNow")
    ManagedChannel exportsChannel(@Value("${exports.grpc.target}") String target) {
        return ManagedChannelBuilder.forTarget(target).usePlaintext().build();
    }

    @Bean
    ExportsBlockingStub exportsStub(ManagedChannel exportsChannel) {
        return ExportsGrpc.newBlockingStub(exportsChannel);
    }
}
