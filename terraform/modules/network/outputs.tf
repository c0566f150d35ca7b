output "vpc_id" {
  value = aws_vpc.this.id
}

output "public_subnet_ids" {
  value = [for zone in local.zones : aws_subnet.public[zone].id]
}

# From these the load balancer speaks to the servers: they are its trusted proxies.
output "public_cidrs" {
  value = [for zone in local.zones : local.public[zone]]
}

output "private_subnet_ids" {
  value = [for zone in local.zones : aws_subnet.private[zone].id]
}
